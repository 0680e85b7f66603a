package mediatoken;

/** Whom a token must be for, as Adobe knows it; never what the viewer or the token says. */
public record Requestor(String id) {
  /** The one of the daemon's configuration: this object, and no equal one. */
  public static final Requestor CONFIGURED = new Requestor("CONFIGURED");
}
