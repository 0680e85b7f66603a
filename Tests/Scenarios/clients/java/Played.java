import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import mediatoken.Gate;
import mediatoken.ValidToken;

/** The servlet that plays, and relies on the filter before it. */
final class Played extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.getOutputStream().write(Plays.body((ValidToken) request.getAttribute(Gate.TOKEN)));
  }
}
