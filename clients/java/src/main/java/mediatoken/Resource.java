package mediatoken;

/** What you are about to play, never what the viewer or the token says. */
public final class Resource {
  /** The one of the tenant's configuration. */
  public static final Resource CONFIGURED = new Resource("", "CONFIGURED");

  final String name;
  final String text;

  private Resource(String name, String text) {
    this.name = name;
    this.text = given(text);
  }

  /** {@return a text that the token's resource must equal, byte for byte} */
  public static Resource of(String id) { return new Resource("resource", id); }

  /** {@return a Media RSS document that the token's resource must be the same as, however it is spelled} */
  public static Resource document(String text) { return new Resource("resourceDocument", text); }

  /** {@return a channel: the token's resource must be this id, or a document whose channel has this title} */
  public static Resource channel(String id) { return new Resource("resourceChannel", id); }

  static String given(String text) {
    if (text.isEmpty()) throw new IllegalArgumentException("expected a requestor or resource, found an empty text; see CONFIGURED");
    return text;
  }
}
