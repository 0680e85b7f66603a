import static java.util.stream.Collectors.joining;

import java.io.*;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import mediatoken.*;

/** The kit's driver: what clients/README.md, "Conformance", asks of it. */
final class Conformance {
  public static void main(String[] arguments) throws Exception {
    Method read = Class.forName("mediatoken.Answer").getDeclaredMethod("object", String.class);
    read.setAccessible(true); // Lines are read as the kit reads an answer.
    FakeClient fake = new FakeClient();
    Client client = fake;
    for (Scanner lines = new Scanner(System.in, "UTF-8").useDelimiter("\n"); lines.hasNext();) {
      Map<?, ?> line = (Map<?, ?>) read.invoke(null, lines.next());
      if (line.get("do").equals("open")) {
        Duration timeout = Duration.ofMillis((Long) line.get("timeoutMilliseconds"));
        client = new Client((String) line.get("address"), timeout, (String) line.get("requestIDHeader"));
      }
      Client asked = client;
      List<Callable<Object>> calls = new ArrayList<>();
      if (line.get("texts") instanceof List<?> texts) texts.forEach(text -> calls.add(() -> answer(asked, line, (String) text)));
      ExecutorService threads = Executors.newFixedThreadPool(line.get("atOnce") instanceof Long most ? most.intValue() : 1);
      List<Object> answers = new ArrayList<>();
      for (Future<Object> each : threads.invokeAll(calls)) answers.add(each.get());
      threads.shutdown();
      List<String> texts = List.of(
          fake.valid(), fake.refused("TOKEN_EXPIRED", "too-old", "new-token"), fake.unavailable("OUT_OF_MEMORY", "retry"));
      System.out.println(json(Map.of("answers", answers, "text", client.toString(), "texts", texts)));
    }
  }

  private static Object answer(Client client, Map<?, ?> line, String base64) throws Exception {
    byte[] text = Base64.getDecoder().decode(base64);
    Requestor who = line.get("requestor") instanceof String id ? new Requestor(id) : Requestor.CONFIGURED;
    Resource what = line.get("resourceDocument") instanceof String document ? Resource.document(document)
        : line.get("resourceChannel") instanceof String id ? Resource.channel(id)
        : line.get("resource") instanceof String id ? Resource.of(id) : Resource.CONFIGURED;
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
    long nanoseconds = System.nanoTime() - start;
    Map<String, Object> members = new HashMap<>();
    for (Method each : said.getClass().getMethods()) {
      if (each.getParameterCount() == 0 && each.getDeclaringClass().getPackageName().equals("mediatoken")) {
        members.put(each.getName(), each.invoke(said));
      }
    }
    return Map.of("outcome", said.getClass().getName(), "nanoseconds", nanoseconds, "text", said + " " + printed, "members", members);
  }

  private static String json(Object value) {
    if (value instanceof Map<?, ?> all) {
      return "{" + all.entrySet().stream().map(each -> json(each.getKey()) + ":" + json(each.getValue())).collect(joining(",")) + "}";
    }
    if (value instanceof List<?> all) return "[" + all.stream().map(Conformance::json).collect(joining(",")) + "]";
    if (value instanceof Optional<?> one) return json(one.orElse(null));
    if (value instanceof Duration time) return json(time.toSeconds());
    if (value instanceof Number || value == null) return String.valueOf(value);
    return value.toString().chars().mapToObj(unit -> String.format("\\u%04x", unit)).collect(joining("", "\"", "\""));
  }
}
