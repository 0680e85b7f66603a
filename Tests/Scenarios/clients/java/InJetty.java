import java.net.InetSocketAddress;
import java.util.EnumSet;
import javax.servlet.DispatcherType;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/** InJetty DAEMON PORT: Jetty 9 with the kit's filter, javax.servlet in its imports. */
final class InJetty {
  public static void main(String[] arguments) throws Exception {
    Server server = new Server(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1])));
    ServletContextHandler context = new ServletContextHandler(server, "/");
    TokenFilter filter = new TokenFilter(Plays.gate(arguments[0]), request -> Plays.resource(request.getRequestURI()));
    context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
    context.addServlet(new ServletHolder(new Played()), "/*");
    server.start();
    server.join();
  }
}
