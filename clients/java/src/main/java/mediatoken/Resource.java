package mediatoken;

import java.util.*;

/** What you are about to play, never what the viewer or the token says. */
public final class Resource {
  /** The one of the tenant's configuration. */
  public static final Resource CONFIGURED = new Resource(Map.of());

  private final Map<String, String> told;

  private Resource(Map<String, String> told) { this.told = told; }

  /** {@return a text that the token's resource must equal, byte for byte} */
  public static Resource of(String id) { return new Resource(Map.of("resource", id)); }
  /** {@return a Media RSS document that the token's resource must be the same as, however it is spelled} */
  public static Resource document(String text) { return new Resource(Map.of("resourceDocument", text)); }
  /** {@return a channel: the token's resource must be this id, or a document whose channel has this title} */
  public static Resource channel(String id) { return new Resource(Map.of("resourceChannel", id)); }

  /** What the daemon is told, by its names. */
  Map<String, String> told(Requestor requestor) {
    Map<String, String> all = new TreeMap<>(told);
    if (requestor != Requestor.CONFIGURED) all.put("requestor", requestor.id());
    if (!all.containsValue("") && !all.containsValue(null)) return all;
    throw new IllegalArgumentException("expected a requestor and a resource, found an empty text; see CONFIGURED");
  }
}
