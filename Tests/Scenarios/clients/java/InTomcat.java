import jakarta.servlet.http.*;
import java.io.IOException;
import java.time.Duration;
import mediatoken.*;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** InTomcat DAEMON PORT FOLDER: Tomcat 10 with the kit's filter. Without arguments it prints a line for each thing that holds. */
final class InTomcat {
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 0) {
      fakes();
      return;
    }
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[2]);
    tomcat.setPort(Integer.parseInt(arguments[1]));
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    Client daemon = new Client(arguments[0], Duration.ofSeconds(300), null);
    FilterDef filter = new FilterDef();
    filter.setFilterName("token");
    filter.setFilter(new TokenFilter(
        daemon, new Requestor("REF30"), request -> Resource.of(request.getRequestURI().substring(1)), "X-Media-Token"));
    context.addFilterDef(filter);
    FilterMap paths = new FilterMap();
    paths.setFilterName("token");
    paths.addURLPattern("/*");
    context.addFilterMap(paths);
    Tomcat.addServlet(context, "play", new Played()).addMapping("/");
    tomcat.start();
    tomcat.getServer().await();
  }

  /** What plays, and relies on the filter before it. */
  private static final class Played extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
      String identity = ((ValidToken) request.getAttribute(ValidToken.class.getName())).identity();
      response.getWriter().println(identity + " " + Thread.currentThread().getName().replace(' ', '-'));
    }
  }

  private static void fakes() {
    FakeClient fake = new FakeClient();
    String token = fake.valid();
    says(fake, token, "it plays TNT");
    says(fake, token, "TOKEN_REPLAYED: already-used");
    says(fake, "x", "INVALID_TOKEN_FORMAT: unknown-form");
    says(fake, fake.refused("TOKEN_EXPIRED", "too-old", "new-token"), "TOKEN_EXPIRED: too-old");
    says(fake, fake.unavailable("OUT_OF_MEMORY", "retry"), "no verdict: OUT_OF_MEMORY (503)");
  }

  private static void says(FakeClient fake, String token, String wanted) {
    String said;
    try {
      said = "it plays " + fake.verify(token.getBytes(), new Requestor("REF30"), Resource.of("TNT"), null).resourceID();
    } catch (NotValid problem) {
      said = problem.getMessage();
    }
    (said.equals(wanted) ? System.out : System.err).println(said);
  }
}
