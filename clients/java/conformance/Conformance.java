import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Scanner;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import mediatoken.Client;
import mediatoken.NotValid;
import mediatoken.Requestor;
import mediatoken.Resource;

/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
final class Conformance {
  private static final Map<String, String> MEMBERS = Map.of(
      "ValidToken", "identity requestorID resourceID mvpdId sessionGUID keyFingerprint use requestID ttlMilliseconds issueTime expiresAt "
          + "unknownFields proxyMvpdId viewerTag handover",
      "Refused", "verdict reason detail action adobeCode requestID", "Unavailable", "name status detail action retryAfter requestID");

  public static void main(String[] arguments) throws Exception {
    // Lines are read as the kit reads an answer.
    Method read = Class.forName("mediatoken.Json").getDeclaredMethod("object", String.class);
    read.setAccessible(true);
    Client client = null;
    for (Scanner lines = new Scanner(System.in, "UTF-8").useDelimiter("\n"); lines.hasNext();) {
      Map<?, ?> line = (Map<?, ?>) read.invoke(null, lines.next());
      if (line.get("do").equals("open")) {
        Duration timeout = Duration.ofMillis((Long) line.get("timeoutMilliseconds"));
        client = new Client((String) line.get("address"), timeout, (String) line.get("requestIDHeader"));
        System.out.println("{\"text\":" + json(client.toString()) + "}");
      } else if (line.containsKey("processes")) {
        System.out.println("{\"unable\":\"fork\"}");
      } else {
        Client asked = client;
        List<Callable<String>> calls = ((List<?>) line.get("texts")).stream()
            .<Callable<String>>map(text -> () -> answer(asked, line, Base64.getDecoder().decode((String) text))).toList();
        var threads = Executors.newFixedThreadPool(line.get("atOnce") instanceof Long most ? most.intValue() : 1);
        StringBuilder answers = new StringBuilder();
        for (Future<String> each : threads.invokeAll(calls)) answers.append(answers.isEmpty() ? "" : ",").append(each.get());
        threads.shutdown();
        System.out.println("{\"answers\":[" + answers + "]}");
      }
    }
  }

  private static String answer(Client client, Map<?, ?> line, byte[] text) throws Exception {
    Map<String, Object> answer = new TreeMap<>(Map.of("outcome", "misuse", "text", ""));
    Object said;
    long start = System.nanoTime();
    try {
      Requestor who = line.get("requestor") instanceof String id ? Requestor.of(id) : Requestor.CONFIGURED;
      Resource what = line.get("resource") instanceof String id ? Resource.of(id)
          : line.get("resourceDocument") instanceof String document ? Resource.document(document)
          : line.get("resourceChannel") instanceof String id ? Resource.channel(id) : Resource.CONFIGURED;
      String id = (String) line.get("requestID");
      said = line.get("do").equals("verify") ? client.verify(text, who, what, id) : client.verifyDecision(text, who, what, id);
    } catch (NotValid | IllegalArgumentException problem) {
      said = problem;
    }
    answer.put("nanoseconds", System.nanoTime() - start);
    String kind = said.getClass().getSimpleName();
    for (String name : MEMBERS.getOrDefault(kind, "").split(" ")) {
      if (name.isEmpty()) continue;
      answer.put("outcome", kind.equals("ValidToken") ? "valid" : kind.toLowerCase());
      Object value = said.getClass().getMethod(name).invoke(said);
      answer.put(name, value instanceof Optional<?> optional ? optional.orElse(null) : value);
    }
    StringWriter printed = new StringWriter();
    if (said instanceof Exception problem) problem.printStackTrace(new PrintWriter(printed, true));
    answer.put("text", said + " " + printed);
    return json(answer);
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> members) {
      return members.entrySet().stream().map(each -> json(each.getKey()) + ":" + json(each.getValue())).collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> elements) return elements.stream().map(Conformance::json).collect(Collectors.joining(",", "[", "]"));
    if (value instanceof Instant time) return String.valueOf(time.toEpochMilli());
    if (value instanceof Duration time) return String.valueOf(time.toSeconds());
    if (!(value instanceof String text)) return String.valueOf(value);
    return text.chars().mapToObj(unit -> String.format("\\u%04x", unit)).collect(Collectors.joining("", "\"", "\""));
  }
}
