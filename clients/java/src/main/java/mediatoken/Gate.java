package mediatoken;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Lets requests that start playback through to the application if they have a valid token, and answers the others itself.
 *
 * <p>It knows no framework: the kit's folder {@code adapters} has a filter for servlets and a handler for
 * {@code com.sun.net.httpserver}, which call it. Place it before what starts playback, and before nothing else: each request that
 * it lets through uses a token up.
 */
public final class Gate {
  /** Where the player sends its token unless told otherwise. */
  public static final String HEADER = "X-Media-Token";
  /** The attribute under which a filter gives the application the {@link ValidToken}. */
  public static final String TOKEN = "mediatoken.token";

  /** Methods that may start playback, byte for byte. No token is used up for another. */
  private static final List<String> PLAYS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private final Client client;
  private final Requestor requestor;
  private final String header;

  /** A gate for tokens of this requestor in the usual header. */
  public Gate(Client client, Requestor requestor) {
    this(client, requestor, HEADER);
  }

  /** A gate for tokens of this requestor in another header. */
  public Gate(Client client, Requestor requestor, String header) {
    this.client = Objects.requireNonNull(client, "expected a client, found null");
    this.requestor = Objects.requireNonNull(requestor, "expected a requestor, found null; CONFIGURED is the daemon's own");
    this.header = Objects.requireNonNull(header, "expected the name of a header, found null");
    ClientBuilder.expect(ClientBuilder.HEADER.matcher(header).matches(), "the name of a header");
  }

  /** What starts playback. {@code E} is what it throws besides {@link IOException}, such as a ServletException. */
  @FunctionalInterface
  public interface Application<E extends Exception> {
    /** Answers a request that has a valid token, which may play, now. */
    void play(ValidToken token) throws IOException, E;
  }

  /** How an answer is given to the player. */
  @FunctionalInterface
  public interface Response {
    /** Gives it: the status of HTTP, headers without a Content-Length, and JSON. */
    void send(int status, Map<String, String> fields, byte[] body) throws IOException;
  }

  /** {@return the name of the header in which the player sends its token} */
  public String header() { return header; }

  /**
   * Asks about the request's token, and then either lets the application play or sends an answer.
   *
   * @param method of the request
   * @param tokens all values of {@link #header()} that the request has
   * @param resource what the request is about to play; is asked if there is a token
   * @param application is called if that may play, and in no other case
   * @param response is called in every other case
   */
  public <E extends Exception> void pass(
      String method, Collection<String> tokens, Supplier<Resource> resource, Application<E> application, Response response)
      throws IOException, E {
    if (method == null || !PLAYS.contains(method)) {
      refuse(response, 405, Map.of("Allow", String.join(", ", PLAYS)), "error", "method-not-allowed", "action", "report");
    } else if (tokens.stream().allMatch(String::isEmpty)) {
      refuse(response, 401, Map.of("WWW-Authenticate", "MediaToken"), "error", "no-token", "action", "new-token");
    } else if (tokens.size() > 1) {
      refuse(response, 403, Map.of(), "error", "ambiguous", "action", "new-token");
    } else {
      ValidToken token;
      try {
        token = client.verify(bytes(tokens.iterator().next()), requestor, resource.get());
      } catch (NotValid problem) {
        explain(response, problem);
        return;
      }
      application.play(token);
    }
  }

  private static void explain(Response response, NotValid problem) throws IOException {
    if (problem instanceof Refused no) {
      refuse(response, 403, Map.of(), "verdict", no.verdict().orElse(""), "reason", no.reason(), "action", no.action(),
          "adobeCode", no.adobeCode());
    } else if (problem instanceof Fault fault) {
      Map<String, String> after = fault.retryAfter().map(time -> Map.of("Retry-After", "" + time.toSeconds())).orElse(Map.of());
      refuse(response, 503, after, "fault", fault.name(), "action", fault.action());
    } else {
      refuse(response, 503, Map.of(), "fault", problem instanceof NoAnswer ? "NO_ANSWER" : "FOREIGN_ANSWER", "action", problem.action());
    }
  }

  /** Servers give a header's bytes as characters of Latin-1; one that decoded them gives what no Latin-1 has. */
  private static byte[] bytes(String value) {
    boolean isLatin = value.chars().allMatch(unit -> unit < 0x100);
    return isLatin ? value.getBytes(StandardCharsets.ISO_8859_1) : Question.bytes(value);
  }

  /** Answers with a JSON object of these members, names and texts in turn, whose characters are no syntax. */
  private static void refuse(Response response, int status, Map<String, String> field, String... members) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>(Map.of("Content-Type", "application/json", "Cache-Control", "no-store"));
    fields.putAll(field);
    StringBuilder json = new StringBuilder();
    for (int index = 0; index < members.length; index += 2) {
      json.append(index == 0 ? '{' : ',').append(String.format("\"%s\":\"%s\"", members[index], members[index + 1]));
    }
    response.send(status, fields, json.append('}').toString().getBytes(StandardCharsets.UTF_8));
  }
}
