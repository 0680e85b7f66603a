import jakarta.servlet.*;
import jakarta.servlet.http.*;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Function;
import mediatoken.*;

/**
 * Lets requests through that have a valid token, which is then the attribute of the name {@code mediatoken.ValidToken}, and answers the
 * others itself. For Jakarta Servlet 5 or later; for javax.servlet write that in the imports. Place it before what starts playback, and
 * before nothing else: each request that it lets through uses a token up.
 *
 * @param resource says what a request is about to play
 * @param header is where the player sends its token, such as X-Media-Token
 */
public record TokenFilter(Client daemon, Requestor requestor, Function<HttpServletRequest, Resource> resource, String header)
    implements Filter {
  private static final List<String> PLAYS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
    HttpServletRequest asked = (HttpServletRequest) request;
    HttpServletResponse answer = (HttpServletResponse) response;
    List<String> tokens = Collections.list(asked.getHeaders(header));
    if (!PLAYS.contains(asked.getMethod())) {
      answer.setHeader("Allow", String.join(", ", PLAYS));
      refuse(answer, 405, "{'error':'method-not-allowed','action':'report'}");
    } else if (String.join("", tokens).isEmpty()) {
      answer.setHeader("WWW-Authenticate", "MediaToken");
      refuse(answer, 401, "{'error':'no-token','action':'new-token'}");
    } else if (tokens.size() > 1) {
      refuse(answer, 403, "{'error':'ambiguous','action':'new-token'}");
    } else {
      try {
        // Servers give a header's bytes as characters of Latin-1.
        byte[] token = tokens.get(0).getBytes(StandardCharsets.ISO_8859_1);
        asked.setAttribute(ValidToken.class.getName(), daemon.verify(token, requestor, resource.apply(asked), null));
      } catch (NotValid problem) {
        if (problem instanceof Refused no) {
          String[] said = {no.verdict().orElse(""), no.reason(), no.action(), no.adobeCode()};
          refuse(answer, 403, "{'verdict':'%s','reason':'%s','action':'%s','adobeCode':'%s'}", said);
        } else if (problem instanceof Unavailable no) {
          no.retryAfter().ifPresent(after -> answer.setHeader("Retry-After", String.valueOf(after.toSeconds())));
          refuse(answer, 503, "{'fault':'%s','action':'%s'}", no.name(), no.action());
        }
        return;
      }
      chain.doFilter(request, response);
    }
  }

  private static void refuse(HttpServletResponse answer, int status, String json, String... texts) throws IOException {
    answer.setStatus(status);
    answer.setContentType("application/json");
    answer.setHeader("Cache-Control", "no-store");
    // Those of a daemon have no character that is syntax.
    Object[] clean = Arrays.stream(texts).map(each -> each.replaceAll("[^ -~]|[\"\\\\]", "?")).toArray();
    answer.getOutputStream().write(json.replace('\'', '"').formatted(clean).getBytes(StandardCharsets.US_ASCII));
  }
}
