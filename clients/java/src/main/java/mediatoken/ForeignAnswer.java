package mediatoken;

import java.util.Map;

/** What came is not an answer of mediatokend to this question. The token may be used up. */
public final class ForeignAnswer extends NotValid {
  private static final long serialVersionUID = 1;

  ForeignAnswer(String why) {
    super("foreign answer: " + why, Map.of("action", "report"));
  }
}
