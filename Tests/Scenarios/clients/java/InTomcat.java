import jakarta.servlet.http.*;
import java.io.IOException;
import java.time.Duration;
import mediatoken.*;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** InTomcat DAEMON PORT FOLDER: Tomcat 10 with the kit's filter. Before, it prints a line for each thing that holds. */
final class InTomcat {
  public static void main(String[] arguments) throws Exception {
    fakes();
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

  private static void fakes() throws NotValid {
    FakeClient fake = new FakeClient();
    String token = fake.valid();
    if (fake.verify(token.getBytes(), new Requestor("REF30"), Resource.of("TNT"), null).resourceID().equals("TNT")) System.out.println("it plays");
    for (String each : new String[] {token, "x", fake.refused("TOKEN_EXPIRED", "too-old", "new-token"), fake.unavailable("OUT_OF_MEMORY", "retry")}) {
      try {
        fake.verify(each.getBytes(), new Requestor("REF30"), Resource.of("TNT"), null);
      } catch (NotValid problem) {
        System.out.println(problem.getMessage());
      }
    }
  }
}
