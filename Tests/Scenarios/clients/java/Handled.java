import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Handled DAEMON PORT: com.sun.net.httpserver with the kit's handler. */
final class Handled {
  public static void main(String[] arguments) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1])), 64);
    server.setExecutor(Executors.newFixedThreadPool(16));
    HttpContext context = server.createContext("/", new TokenHandler(
        Plays.gate(arguments[0]), exchange -> Plays.resource(exchange.getRequestURI().getPath()),
        (exchange, token) -> {
          byte[] body = Plays.body(token);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        }));
    context.getFilters().add(new Strict());
    server.start();
  }

  /** The platform says nothing of what a handler throws: a server of the scenario ends. */
  private static final class Strict extends Filter {
    @Override
    public void doFilter(HttpExchange exchange, Chain chain) {
      try {
        chain.doFilter(exchange);
      } catch (IOException | RuntimeException problem) {
        Runtime.getRuntime().halt(1);
      }
    }

    @Override
    public String description() {
      return "ends the server";
    }
  }
}
