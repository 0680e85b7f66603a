import jakarta.servlet.http.*;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import mediatoken.*;
import org.apache.catalina.startup.Tomcat;

/** InTomcat DAEMON SOCKET FOLDER: Tomcat 10 with the filter that the README shows. */
final class InTomcat {
  public static void main(String[] arguments) throws Exception {
    Client daemon = new Client(arguments[0], Duration.ofSeconds(300), null);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[2]);
    tomcat.getConnector().setProperty("unixDomainSocketPath", arguments[1]);
    tomcat.addContext("", null).addServletContainerInitializer((classes, context) -> {
      context.addFilter("token", Shown.filter(daemon, Map.of("/TNT", "TNT", "/TBS", "TBS"))).addMappingForUrlPatterns(null, false, "/*");
      context.addServlet("play", new Played()).addMapping("/");
    }, null);
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
}
