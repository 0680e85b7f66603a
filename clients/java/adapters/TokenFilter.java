import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.function.Function;
import mediatoken.Gate;
import mediatoken.Resource;

/**
 * For servlets (Jakarta Servlet 5 or later; for javax.servlet write that in the imports): requests with a valid token reach the
 * servlet, which finds the token in the attribute {@link Gate#TOKEN}.
 */
public final class TokenFilter implements Filter {
  private final Gate gate;
  private final Function<HttpServletRequest, Resource> resource;

  /** The gate asks the daemon; the function says what a request is about to play. */
  public TokenFilter(Gate gate, Function<HttpServletRequest, Resource> resource) {
    this.gate = gate;
    this.resource = resource;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    gate.<ServletException>pass(
        asked.getMethod(), Collections.list(asked.getHeaders(gate.header())), () -> resource.apply(asked),
        token -> {
          asked.setAttribute(Gate.TOKEN, token);
          chain.doFilter(request, response);
        },
        (status, fields, body) -> {
          answer.setStatus(status);
          fields.forEach(answer::setHeader);
          answer.setContentLength(body.length);
          answer.getOutputStream().write(body);
        });
  }
}
