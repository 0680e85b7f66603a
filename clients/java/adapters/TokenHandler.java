import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import mediatoken.Gate;
import mediatoken.Resource;
import mediatoken.ValidToken;

/**
 * For com.sun.net.httpserver: requests with a valid token reach the application, together with the token.
 *
 * <p>A handler, not a filter: attributes of an exchange, through which a filter would pass the token on, belong to all exchanges of
 * their context in Java 17.
 */
public final class TokenHandler implements HttpHandler {
  private final Gate gate;
  private final Function<HttpExchange, Resource> resource;
  private final Application application;

  /** The gate asks the daemon; the function says what a request is about to play, and the application plays it. */
  public TokenHandler(Gate gate, Function<HttpExchange, Resource> resource, Application application) {
    this.gate = gate;
    this.resource = resource;
    this.application = application;
  }

  /** What starts playback. */
  @FunctionalInterface
  public interface Application {
    /** Answers a request that has a valid token, which may play, now. */
    void handle(HttpExchange exchange, ValidToken token) throws IOException;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    gate.<IOException>pass(
        exchange.getRequestMethod(), exchange.getRequestHeaders().getOrDefault(gate.header(), List.of()),
        () -> resource.apply(exchange), token -> application.handle(exchange, token),
        (status, fields, body) -> {
          fields.forEach(exchange.getResponseHeaders()::set);
          boolean hasBody = !exchange.getRequestMethod().equals("HEAD");
          exchange.sendResponseHeaders(status, hasBody ? body.length : -1);
          if (hasBody) exchange.getResponseBody().write(body);
          exchange.close();
        });
  }
}
