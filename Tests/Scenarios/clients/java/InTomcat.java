import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** InTomcat DAEMON PORT FOLDER: Tomcat 10 with the kit's filter for jakarta.servlet. */
final class InTomcat {
  public static void main(String[] arguments) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[2]);
    tomcat.setPort(Integer.parseInt(arguments[1]));
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    FilterDef filter = new FilterDef();
    filter.setFilterName("token");
    filter.setFilter(new TokenFilter(Plays.gate(arguments[0]), request -> Plays.resource(request.getRequestURI())));
    context.addFilterDef(filter);
    FilterMap paths = new FilterMap();
    paths.setFilterName("token");
    paths.addURLPattern("/*");
    context.addFilterMap(paths);
    Tomcat.addServlet(context, "play", new Played()).addMapping("/");
    tomcat.start();
    tomcat.getServer().await();
  }
}
