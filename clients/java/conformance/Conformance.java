import java.io.*;
import java.lang.reflect.Method;
import java.time.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.stream.Collectors;
import mediatoken.*;

/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
final class Conformance {
  private static final Map<String, String> MEMBERS = Map.of("ValidToken", "identity requestorID resourceID mvpdId sessionGUID keyFingerprint "
      + "use requestID ttlMilliseconds issueTime expiresAt unknownFields proxyMvpdId viewerTag handover",
      "Refused", "verdict reason detail action adobeCode requestID", "Unavailable", "name status detail action retryAfter requestID");

  public static void main(String[] arguments) throws Exception {
    Method read = Class.forName("mediatoken.Answer").getDeclaredMethod("object", String.class);
    read.setAccessible(true); // Lines are read as the kit reads an answer.
    Client client = null;
    for (Scanner lines = new Scanner(System.in, "UTF-8").useDelimiter("\n"); lines.hasNext();) {
      Map<?, ?> line = (Map<?, ?>) read.invoke(null, lines.next());
      Map<String, Object> said = new TreeMap<>();
      if (line.get("do").equals("open")) {
        Duration timeout = Duration.ofMillis((Long) line.get("timeoutMilliseconds"));
        client = new Client((String) line.get("address"), timeout, (String) line.get("requestIDHeader"));
        said.put("text", client.toString());
      } else if (line.containsKey("processes")) {
        said.put("unable", "fork");
      } else {
        Client asked = client;
        List<Callable<Object>> calls = new ArrayList<>();
        for (Object text : (List<?>) line.get("texts")) calls.add(() -> answer(asked, line, Base64.getDecoder().decode((String) text)));
        ExecutorService threads = Executors.newFixedThreadPool(line.get("atOnce") instanceof Long most ? most.intValue() : 1);
        List<Object> answers = new ArrayList<>();
        for (Future<Object> each : threads.invokeAll(calls)) answers.add(each.get());
        threads.shutdown();
        said.put("answers", answers);
      }
      System.out.println(json(said));
    }
  }

  private static Object answer(Client client, Map<?, ?> line, byte[] text) throws Exception {
    Requestor who = line.get("requestor") instanceof String id ? new Requestor(id) : Requestor.CONFIGURED;
    Resource what = line.get("resource") instanceof String id ? Resource.of(id)
        : line.get("resourceDocument") instanceof String document ? Resource.document(document)
        : line.get("resourceChannel") instanceof String id ? Resource.channel(id) : Resource.CONFIGURED;
    String id = (String) line.get("requestID");
    StringWriter printed = new StringWriter();
    Object said;
    long start = System.nanoTime();
    try {
      said = line.get("do").equals("verify") ? client.verify(text, who, what, id) : client.verifyDecision(text, who, what, id);
    } catch (NotValid | IllegalArgumentException problem) {
      problem.printStackTrace(new PrintWriter(printed, true));
      said = problem;
    }
    Map<String, Object> answer = new TreeMap<>(Map.of("nanoseconds", System.nanoTime() - start, "text", said + " " + printed));
    String kind = said.getClass().getSimpleName();
    answer.put("outcome", Map.of("ValidToken", "valid", "Refused", "refused", "Unavailable", "unavailable").getOrDefault(kind, "misuse"));
    for (Scanner names = new Scanner(MEMBERS.getOrDefault(kind, "")); names.hasNext();) {
      String name = names.next();
      answer.put(name, said.getClass().getMethod(name).invoke(said));
    }
    return answer;
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> all) {
      return all.keySet().stream().map(name -> json(name) + ":" + json(all.get(name))).collect(Collectors.joining(",", "{", "}"));
    }
    if (value instanceof List<?> all) return all.stream().map(Conformance::json).toList().toString();
    if (value instanceof Optional<?> one) return json(one.orElse(null));
    if (value instanceof Instant time) return json(time.toEpochMilli());
    if (value instanceof Duration time) return json(time.toSeconds());
    if (!(value instanceof String text)) return String.valueOf(value);
    return text.chars().mapToObj(unit -> String.format("\\u%04x", unit)).collect(Collectors.joining("", "\"", "\""));
  }
}
