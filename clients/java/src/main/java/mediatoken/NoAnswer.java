package mediatoken;

import java.util.Map;

/** No one listens, or no whole answer came in time. The token may be used up. */
public final class NoAnswer extends NotValid {
  private static final long serialVersionUID = 1;

  NoAnswer(String why) {
    super("no answer: " + why, Map.of("action", "retry"));
  }
}
