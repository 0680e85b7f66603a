package mediatoken;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The members of an object of an answer, each read as what it must be. What is not so is a {@link ForeignAnswer}. */
final class Members {
  private static final int LEVELS = 16;
  private static final Pattern NAME = Pattern.compile("[A-Z_]{1,64}");
  private static final Pattern WORD = Pattern.compile("[a-z0-9-]{1,64}");
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern TIME = Pattern.compile("(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z");
  /** The id of a request, ours and the daemon's. */
  static final Pattern REQUEST_ID = Pattern.compile("[A-Za-z0-9._:+/=@-]{1,128}");

  private final Map<String, Object> members;

  private Members(Map<String, Object> members) {
    this.members = members;
  }

  static Members of(byte[] bytes) throws ForeignAnswer {
    try {
      return new Members(Json.object(bytes, LEVELS));
    } catch (Json.Broken broken) {
      throw new ForeignAnswer(broken.getMessage());
    }
  }

  boolean has(String name) {
    return members.containsKey(name);
  }

  /** Whether the member is this text. */
  boolean says(String name, String text) {
    return text.equals(members.get(name));
  }

  String text(String name) throws ForeignAnswer {
    if (members.get(name) instanceof String text) return text;
    throw without(name);
  }

  String textIfAny(String name) throws ForeignAnswer {
    return has(name) ? text(name) : null;
  }

  /** A name as of verdicts. */
  String name(String name) throws ForeignAnswer {
    return text(name, NAME);
  }

  /** A name as of reasons. */
  String word(String name) throws ForeignAnswer {
    return text(name, WORD);
  }

  String digest(String name) throws ForeignAnswer {
    return text(name, DIGEST);
  }

  String requestID() throws ForeignAnswer {
    return text("requestID", REQUEST_ID);
  }

  List<String> texts(String name) throws ForeignAnswer {
    if (!(members.get(name) instanceof List<?> elements)) throw without(name);
    List<String> texts = new ArrayList<>();
    for (Object element : elements) {
      if (!(element instanceof String text)) throw without(name);
      texts.add(text);
    }
    return List.copyOf(texts);
  }

  long integer(String name, long least, long most) throws ForeignAnswer {
    if (members.get(name) instanceof Long integer && integer >= least && integer <= most) return integer;
    throw without(name);
  }

  Instant time(String name) throws ForeignAnswer {
    String text = text(name, TIME);
    try {
      return LocalDateTime.parse(text.substring(0, text.length() - 1)).toInstant(ZoneOffset.UTC);
    } catch (DateTimeException noTime) {
      throw without(name);
    }
  }

  private String text(String name, Pattern form) throws ForeignAnswer {
    String text = text(name);
    if (!form.matcher(text).matches()) throw without(name);
    return text;
  }

  private static ForeignAnswer without(String name) {
    return new ForeignAnswer("without a member " + name + " of its form");
  }
}
