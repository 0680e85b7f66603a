package mediatoken;

/** What a token must be for: what you are about to play, never what the viewer or the token says. */
public final class Resource {
  /** The one of the daemon's configuration. */
  public static final Resource CONFIGURED = new Resource(null, null);

  private final String parameter;
  private final String text;

  private Resource(String parameter, String text) {
    this.parameter = parameter;
    this.text = text;
  }

  /**
   * The token's resource must be this text, byte for byte.
   *
   * @param text the resource; not empty
   * @return the resource
   */
  public static Resource of(String text) {
    return new Resource("resource", Texts.given("resource", text));
  }

  /**
   * The token's resource must be the same Media RSS document, however it is spelled.
   *
   * @param text the document; not empty
   * @return the resource
   */
  public static Resource document(String text) {
    return new Resource("resourceDocument", Texts.given("document", text));
  }

  /**
   * The token's resource must be this id, or a document whose channel has this title.
   *
   * @param id the channel; not empty
   * @return the resource
   */
  public static Resource channel(String id) {
    return new Resource("resourceChannel", Texts.given("channel", id));
  }

  /** The name of the parameter that says so; null: the configured one. */
  String parameter() {
    return parameter;
  }

  /** Null: the configured one. */
  String text() {
    return text;
  }

  /** What the member resourceID of a valid token must be; null: whatever the daemon says. */
  String expected() {
    return "resource".equals(parameter) ? text : null;
  }

  @Override
  public String toString() {
    return parameter == null ? "CONFIGURED" : text;
  }
}
