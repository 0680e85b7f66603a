package mediatoken;

/** A token of a batch that may play, now. It is used up. */
public final class ValidLine {
  private final String identity;
  private final Use use;

  ValidLine(String identity, Use use) {
    this.identity = identity;
    this.use = use;
  }

  /**
   * The token's name in logs.
   *
   * @return SHA-256 of what was signed, as 64 hexadecimal digits
   */
  public String identity() {
    return identity;
  }

  /**
   * Which use of the token this was.
   *
   * @return the first, unless uses are not counted
   */
  public Use use() {
    return use;
  }

  /** For logs. */
  @Override
  public String toString() {
    return "ValidLine[" + identity + ", use=" + use + "]";
  }
}
