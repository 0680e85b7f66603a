package mediatoken;

/** What came of one question of a batch. */
public final class Line {
  private final ValidLine valid;
  private final NotValid problem;

  /** Just one of them. */
  private Line(ValidLine valid, NotValid problem) {
    this.valid = valid;
    this.problem = problem;
  }

  static Line of(ValidLine valid) {
    return new Line(valid, null);
  }

  static Line of(NotValid problem) {
    return new Line(null, problem);
  }

  /**
   * The valid token.
   *
   * @return that of the question
   * @throws NotValid a {@link Refused} or a {@link Fault}, if it is not valid
   */
  public ValidLine token() throws NotValid {
    if (problem != null) throw problem;
    return valid;
  }

  /** For logs. */
  @Override
  public String toString() {
    return "Line[" + (problem == null ? valid : problem) + "]";
  }
}
