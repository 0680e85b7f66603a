package mediatoken;

/** The connection ended before the answer did. */
final class Ended extends Exception {
  private static final long serialVersionUID = 1;

  /** How far it had come. */
  enum Stage {
    /** Not one byte of the question was sent. */
    UNSENT,
    /** Not one byte of the answer came. */
    UNANSWERED,
    /** A part of the answer came. */
    HALF
  }

  private final Stage stage;

  Ended(Stage stage) {
    super("the connection ended before the answer was whole", null, false, false);
    this.stage = stage;
  }

  Stage stage() {
    return stage;
  }
}
