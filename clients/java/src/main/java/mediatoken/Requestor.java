package mediatoken;

/** Whom a token must be for, never what the viewer or the token says. */
public final class Requestor {
  /** The one of the daemon's configuration. */
  public static final Requestor CONFIGURED = new Requestor("", "CONFIGURED");

  final String name;
  final String text;

  private Requestor(String name, String text) {
    this.name = name;
    this.text = Resource.given(text);
  }

  /** {@return this requestor, as Adobe knows it} */
  public static Requestor of(String id) { return new Requestor("requestor", id); }
}
