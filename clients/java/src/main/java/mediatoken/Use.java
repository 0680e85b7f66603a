package mediatoken;

/** Which use of its token a valid answer was. */
public enum Use {
  /** The first. */
  FIRST("first"),
  /** A request of yours again, under its id, whose first answer was lost. */
  RETRY("retry"),
  /** Uses are not counted. */
  NOT_ENFORCED("not-enforced");

  private final String word;

  Use(String word) { this.word = word; }

  static Use named(String word) throws ForeignAnswer {
    for (Use use : values()) {
      if (use.word.equals(word)) return use;
    }
    throw new ForeignAnswer("an unknown use");
  }

  /** As the daemon writes it, such as {@code not-enforced}. */
  @Override
  public String toString() { return word; }
}
