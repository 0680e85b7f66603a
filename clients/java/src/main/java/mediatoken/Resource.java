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

  /** The token's resource must be this text, byte for byte. */
  public static Resource of(String text) { return new Resource("resource", Question.given("resource", text)); }

  /** The token's resource must be the same Media RSS document, however it is spelled. */
  public static Resource document(String text) { return new Resource("resourceDocument", Question.given("document", text)); }

  /** The token's resource must be this id, or a document whose channel has this title. */
  public static Resource channel(String id) { return new Resource("resourceChannel", Question.given("channel", id)); }

  String parameter() { return parameter; }

  /** Null: the configured one. */
  String text() { return text; }

  /** What the member resourceID of a valid token must be; null: whatever the daemon says. */
  String expected() { return "resource".equals(parameter) ? text : null; }

  @Override
  public String toString() { return parameter == null ? "CONFIGURED" : text; }
}
