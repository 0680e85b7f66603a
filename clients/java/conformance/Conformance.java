import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import mediatoken.Client;
import mediatoken.ClientBuilder;
import mediatoken.Fault;
import mediatoken.ForeignAnswer;
import mediatoken.NoAnswer;
import mediatoken.NotReady;
import mediatoken.NotValid;
import mediatoken.Refused;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.ValidToken;

/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
public final class Conformance {
  private Client client;

  private Conformance() {}

  public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
    // Lines are read as the kit reads an answer, by what no one sees outside of its package.
    Method read = Class.forName("mediatoken.Json").getDeclaredMethod("object", byte[].class);
    read.setAccessible(true);
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Conformance driver = new Conformance();
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      output.println(written(driver.said((Map<?, ?>) read.invoke(null, (Object) line.getBytes(StandardCharsets.UTF_8)))));
    }
  }

  /** A value as JSON. */
  private static String written(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream().map(member -> written(member.getKey()) + ":" + written(member.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> elements) {
      return elements.stream().map(Conformance::written).collect(Collectors.joining(",", "[", "]"));
    }
    if (!(value instanceof String text)) return String.valueOf(value);
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      boolean isPlain = unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\';
      quoted.append(isPlain ? String.valueOf(unit) : String.format("\\u%04x", (int) unit));
    }
    return quoted.append('"').toString();
  }

  private Map<String, Object> said(Map<?, ?> line) {
    try {
      return switch ((String) line.get("do")) {
        case "open" -> opened(line);
        case "ready" -> {
          client.checkReady();
          yield outcome("ready", "");
        }
        case "atOnce" -> atOnce(line);
        case "measure" -> measured(line);
        case "verifyDecision" -> valid(decided(line));
        default -> valid(verified(line));
      };
    } catch (NotValid problem) {
      return failed(problem);
    } catch (NotReady problem) {
      return outcome("not-ready", printed(problem), "reason", problem.reason(), "retryAfter",
          problem.retryAfter().map(Duration::toSeconds));
    } catch (IllegalArgumentException | NullPointerException misuse) {
      return outcome("misuse", printed(misuse));
    }
  }

  private Map<String, Object> opened(Map<?, ?> line) {
    ClientBuilder builder = Client.builder((String) line.get("address")).timeout(milliseconds(line, "timeoutMilliseconds"));
    if (line.containsKey("requestIDHeader")) builder.requestIDHeader((String) line.get("requestIDHeader"));
    if (line.containsKey("retryWindowMilliseconds")) builder.retryWindow(milliseconds(line, "retryWindowMilliseconds"));
    if (line.containsKey("idleConnections")) builder.idleConnections(Math.toIntExact((Long) line.get("idleConnections")));
    if (line.containsKey("connections")) builder.connections(Math.toIntExact((Long) line.get("connections")));
    client = builder.build();
    return outcome("opened", client.toString());
  }

  private ValidToken verified(Map<?, ?> line) throws NotValid {
    String requestID = (String) line.get("requestID");
    byte[] token = bytes(line, "token");
    if (requestID != null) return client.verify(token, requestor(line), resource(line), requestID);
    return client.verify(token, requestor(line), resource(line));
  }

  private ValidToken decided(Map<?, ?> line) throws NotValid {
    String requestID = (String) line.get("requestID");
    byte[] decision = bytes(line, "decision");
    if (requestID != null) return client.verifyDecision(decision, requestor(line), resource(line), requestID);
    return client.verifyDecision(decision, requestor(line), resource(line));
  }

  /** What came of each of many calls in threads of their own. */
  private Map<String, Object> atOnce(Map<?, ?> line) {
    List<?> tokens = (List<?>) line.get("tokens");
    Object[] outcomes = new Object[tokens.size()];
    List<Thread> threads = new ArrayList<>();
    for (int index = 0; index < outcomes.length; index++) {
      int each = index;
      threads.add(new Thread(() -> {
        try {
          client.verify(Base64.getDecoder().decode((String) tokens.get(each)), requestor(line), resource(line));
          outcomes[each] = "valid";
        } catch (NotValid problem) {
          outcomes[each] = failed(problem).get("outcome");
        }
      }));
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) thread.join();
    } catch (InterruptedException interruption) {
      throw new IllegalStateException(interruption);
    }
    return outcome("at-once", "", "outcomes", Arrays.asList(outcomes));
  }

  /** How long each call took. A token that is not valid ends it. */
  private Map<String, Object> measured(Map<?, ?> line) throws NotValid {
    List<Object> times = new ArrayList<>();
    for (Object token : (List<?>) line.get("tokens")) {
      byte[] received = Base64.getDecoder().decode((String) token);
      long start = System.nanoTime();
      client.verify(received, requestor(line), resource(line));
      times.add(System.nanoTime() - start);
    }
    return outcome("measured", "", "nanoseconds", times);
  }

  private static Map<String, Object> valid(ValidToken token) {
    return outcome("valid", token.toString(), "identity", token.identity(), "use", token.use().toString(), "requestID", token.requestID(),
        "requestorID", token.requestorID(), "resourceID", token.resourceID(), "mvpdId", token.mvpdId(), "sessionGUID", token.sessionGUID(),
        "issueTime", token.issueTime().toEpochMilli(), "expiresAt", token.expiresAt().toEpochMilli(),
        "ttlMilliseconds", token.ttlMilliseconds(), "keyFingerprint", token.keyFingerprint(), "unknownFields", token.unknownFields(),
        "proxyMvpdId", token.proxyMvpdId(), "viewerTag", token.viewerTag(), "handover", token.handover());
  }

  private static Map<String, Object> failed(NotValid problem) {
    String text = printed(problem);
    if (problem instanceof Refused refused) {
      Map<String, Object> said = outcome("refused", text, "reason", refused.reason(), "detail", refused.detail(),
          "action", refused.action(), "adobeCode", refused.adobeCode(), "identity", refused.identity(), "requestID", refused.requestID(),
          "decisionError", refused.decisionError());
      said.put("verdict", refused.verdict().orElse(null));
      return said;
    }
    if (problem instanceof Fault fault) {
      return outcome("fault", text, "name", fault.name(), "status", fault.status(), "action", fault.action(),
          "retryAfter", fault.retryAfter().map(Duration::toSeconds));
    }
    return outcome(problem instanceof NoAnswer ? "no-answer" : "foreign", text, "action", problem.action());
  }

  private static Requestor requestor(Map<?, ?> line) {
    return line.containsKey("requestor") ? Requestor.of((String) line.get("requestor")) : Requestor.CONFIGURED;
  }

  private static Resource resource(Map<?, ?> line) {
    if (line.containsKey("resource")) return Resource.of((String) line.get("resource"));
    if (line.containsKey("resourceDocument")) return Resource.document((String) line.get("resourceDocument"));
    if (line.containsKey("resourceChannel")) return Resource.channel((String) line.get("resourceChannel"));
    return Resource.CONFIGURED;
  }

  private static byte[] bytes(Map<?, ?> line, String name) {
    return Base64.getDecoder().decode((String) line.get(name));
  }

  private static Duration milliseconds(Map<?, ?> line, String name) {
    return Duration.ofMillis((Long) line.get(name));
  }

  /** Members: names and values in turn; an empty Optional is not there. */
  private static Map<String, Object> outcome(String name, String text, Object... members) {
    Map<String, Object> said = new LinkedHashMap<>(Map.of("outcome", name, "text", text));
    for (int index = 0; index < members.length; index += 2) {
      Object value = members[index + 1] instanceof Optional<?> optional ? optional.orElse(null) : members[index + 1];
      if (value != null) said.put((String) members[index], value);
    }
    return said;
  }

  /** All that a log would have of it: texts, causes, the calls. */
  private static String printed(Throwable problem) {
    StringWriter printed = new StringWriter();
    problem.printStackTrace(new PrintWriter(printed, true));
    return printed + " " + problem;
  }
}
