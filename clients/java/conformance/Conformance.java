import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  public static void main(String[] arguments) throws IOException {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Conformance driver = new Conformance();
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      output.println(Lines.written(driver.said((Map<?, ?>) Lines.read(line))));
    }
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
      Map<String, Object> said = outcome("not-ready", printed(problem));
      said.put("reason", problem.reason());
      put(said, "retryAfter", problem.retryAfter().map(Duration::toSeconds));
      return said;
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
    Map<String, Object> said = outcome("at-once", "");
    said.put("outcomes", Arrays.asList(outcomes));
    return said;
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
    Map<String, Object> said = outcome("measured", "");
    said.put("nanoseconds", times);
    return said;
  }

  private static Map<String, Object> valid(ValidToken token) {
    Map<String, Object> said = outcome("valid", token.toString());
    said.put("identity", token.identity());
    said.put("use", token.use().toString());
    said.put("requestID", token.requestID());
    said.put("requestorID", token.requestorID());
    said.put("resourceID", token.resourceID());
    said.put("mvpdId", token.mvpdId());
    said.put("sessionGUID", token.sessionGUID());
    said.put("issueTime", token.issueTime().toEpochMilli());
    said.put("expiresAt", token.expiresAt().toEpochMilli());
    said.put("ttlMilliseconds", token.ttlMilliseconds());
    said.put("keyFingerprint", token.keyFingerprint());
    said.put("unknownFields", token.unknownFields());
    put(said, "proxyMvpdId", token.proxyMvpdId());
    put(said, "viewerTag", token.viewerTag());
    put(said, "handover", token.handover());
    return said;
  }

  private static Map<String, Object> failed(NotValid problem) {
    Map<String, Object> said = outcome("foreign", printed(problem));
    said.put("action", problem.action());
    if (problem instanceof Refused refused) {
      said.put("outcome", "refused");
      said.put("verdict", refused.verdict().orElse(null));
      said.put("reason", refused.reason());
      said.put("detail", refused.detail());
      said.put("adobeCode", refused.adobeCode());
      put(said, "identity", refused.identity());
      put(said, "requestID", refused.requestID());
      put(said, "decisionError", refused.decisionError());
    } else if (problem instanceof Fault fault) {
      said.put("outcome", "fault");
      said.put("name", fault.name());
      said.put("status", fault.status());
      put(said, "retryAfter", fault.retryAfter().map(Duration::toSeconds));
    } else if (problem instanceof NoAnswer) {
      said.put("outcome", "no-answer");
    } else if (!(problem instanceof ForeignAnswer)) {
      throw new IllegalStateException("an outcome that no one knows");
    }
    return said;
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

  private static Map<String, Object> outcome(String name, String text) {
    Map<String, Object> said = new LinkedHashMap<>();
    said.put("outcome", name);
    said.put("text", text);
    return said;
  }

  private static void put(Map<String, Object> said, String name, Optional<?> value) {
    value.ifPresent(found -> said.put(name, found));
  }

  /** All that a log would have of it: texts, causes, the calls. */
  private static String printed(Throwable problem) {
    StringWriter printed = new StringWriter();
    problem.printStackTrace(new PrintWriter(printed, true));
    return printed + " " + problem;
  }
}
