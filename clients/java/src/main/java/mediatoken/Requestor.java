package mediatoken;

/** Whom a token must be for: your requestor id, never what the viewer or the token says. */
public final class Requestor {
  /** The one of the daemon's configuration. */
  public static final Requestor CONFIGURED = new Requestor(null);

  private final String id;

  private Requestor(String id) { this.id = id; }

  /** This requestor and no other, as Adobe knows it; not empty. */
  public static Requestor of(String id) { return new Requestor(Question.given("requestor", id)); }

  /** Null: the configured one. */
  String id() { return id; }

  @Override
  public String toString() { return id == null ? "CONFIGURED" : id; }
}
