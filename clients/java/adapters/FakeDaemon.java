import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * For the tests of an application: a daemon that says about each token what the token was made to say.
 *
 * <p>The client is the real one: in the application nothing changes but an address. A real daemon refuses all of these tokens.
 */
public final class FakeDaemon implements AutoCloseable {
  private static final String MARK = "<signatureInfo>fake</signatureInfo>";

  private final Set<String> used = ConcurrentHashMap.newKeySet();
  private final HttpServer server;
  private final String header;

  /** Listens on the loopback interface until it is closed. The header is that of the client; null if it has none. */
  public FakeDaemon(String requestIDHeader) throws IOException {
    header = requestIDHeader;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Where it listens, as a Client takes it. */
  public String address() { return "http://127.0.0.1:" + server.getAddress().getPort(); }

  /** A token that plays once, for the requestor and resource that are asked for. */
  public static String valid() {
    return made(200, "'verdict':'VALID_TOKEN','number':0,'mvpdId':'Sample_MVPD','sessionGUID':'fake',"
        + "'issueTime':'2026-01-01T00:00:00.000Z','expiresAt':'2026-01-01T01:00:00.000Z','ttlMilliseconds':3600000,"
        + "'keyFingerprint':'" + "0".repeat(64) + "','unknownFields':[],'use':'first','action':'none','adobeCode':'VALID_TOKEN'");
  }

  /** A token that is refused, for example as TOKEN_REPLAYED for the reason already-used. */
  public static String refused(String verdict, String reason) {
    return made(403, "'verdict':'" + verdict + "','number':1,'reason':'" + reason
        + "','detail':'a fake','action':'new-token','adobeCode':'ERROR_UNKNOWN'");
  }

  /** A token about which there is no verdict, but a fault such as REPLAY_MEMORY_FULL. */
  public static String fault(String name) {
    return made(503, "'fault':'" + name + "','number':64,'detail':'a fake','action':'retry'");
  }

  @Override
  public void close() { server.stop(0); }

  private static String made(int status, String members) {
    return MARK + status + " " + UUID.randomUUID() + " " + members.replace('\'', '"');
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> form = new HashMap<>();
    for (String pair : new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8).split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(parts[0], parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    String id = header == null ? null : exchange.getRequestHeaders().getFirst(header);
    String said = exchange.getRequestMethod().equals("GET") ? made(200, "'status':'ready'") : said(form);
    int status = Integer.parseInt(said.substring(MARK.length(), MARK.length() + 3));
    byte[] body = ("{\"requestID\":" + quoted(id == null ? "fake" : id) + "," + said.substring(said.indexOf('"')) + "}")
        .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String said(Map<String, String> form) {
    String token = form.getOrDefault("token", "");
    if (!token.startsWith(MARK)) return refused("INVALID_TOKEN_FORMAT", "unknown-form");
    String identity = ",\"identity\":\"" + sha256(token.substring(MARK.length())) + '"';
    if (used.contains(token)) return refused("TOKEN_REPLAYED", "already-used") + identity;
    if (!token.startsWith(MARK + "200")) return token + identity;
    used.add(token);
    return token + identity + ",\"requestorID\":" + quoted(form.getOrDefault("requestor", "FAKE"))
        + ",\"resourceID\":" + quoted(form.getOrDefault("resource", "fake"));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException problem) {
      throw new AssertionError(problem);
    }
  }
}
