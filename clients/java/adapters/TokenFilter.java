import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import mediatoken.Client;
import mediatoken.NotValid;
import mediatoken.Refused;
import mediatoken.Requestor;
import mediatoken.Resource;
import mediatoken.Unavailable;
import mediatoken.ValidToken;

/**
 * Lets requests through that have a valid token, which is then the attribute of the name {@code mediatoken.ValidToken}, and answers the others
 * itself. For Jakarta Servlet 5 or later; for javax.servlet write that in the imports. Place it before what starts playback, and before
 * nothing else: each request that it lets through uses a token up.
 */
public final class TokenFilter implements Filter {
  private static final List<String> PLAYS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private final Client daemon;
  private final Requestor requestor;
  private final Function<HttpServletRequest, Resource> resource;
  private final String header;

  /** The function says what a request is about to play. The player sends its token in the header, such as X-Media-Token. */
  public TokenFilter(Client daemon, Requestor requestor, Function<HttpServletRequest, Resource> resource, String header) {
    this.daemon = daemon;
    this.requestor = requestor;
    this.resource = resource;
    this.header = header;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    List<String> tokens = Collections.list(asked.getHeaders(header));
    if (!PLAYS.contains(asked.getMethod())) {
      answer.setHeader("Allow", String.join(", ", PLAYS));
      refuse(answer, 405, "error", "method-not-allowed", "action", "report");
    } else if (String.join("", tokens).isEmpty()) {
      answer.setHeader("WWW-Authenticate", "MediaToken");
      refuse(answer, 401, "error", "no-token", "action", "new-token");
    } else if (tokens.size() > 1) {
      refuse(answer, 403, "error", "ambiguous", "action", "new-token");
    } else {
      try {
        // Servers give a header's bytes as characters of Latin-1.
        byte[] token = tokens.get(0).getBytes(StandardCharsets.ISO_8859_1);
        asked.setAttribute(ValidToken.class.getName(), daemon.verify(token, requestor, resource.apply(asked), null));
      } catch (NotValid problem) {
        if (problem instanceof Refused no) {
          refuse(answer, 403, "verdict", no.verdict().orElse(""), "reason", no.reason(), "action", no.action(), "adobeCode", no.adobeCode());
        } else if (problem instanceof Unavailable no) {
          no.retryAfter().ifPresent(after -> answer.setHeader("Retry-After", String.valueOf(after.toSeconds())));
          refuse(answer, 503, "fault", no.name(), "action", no.action());
        }
        return;
      }
      chain.doFilter(request, response);
    }
  }

  /** Names and texts in turn: those of a daemon have no character that is syntax. */
  private static void refuse(HttpServletResponse answer, int status, String... members) throws IOException {
    answer.setStatus(status);
    answer.setContentType("application/json");
    answer.setHeader("Cache-Control", "no-store");
    StringBuilder json = new StringBuilder();
    for (int index = 0; index < members.length; index += 2) {
      json.append(index == 0 ? '{' : ',').append(String.format("\"%s\":\"%s\"", members[index], members[index + 1].replaceAll("[\"\\\\]", "?")));
    }
    answer.getOutputStream().write(json.append('}').toString().getBytes(StandardCharsets.UTF_8));
  }
}
