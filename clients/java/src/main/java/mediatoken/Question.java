package mediatoken;

import java.util.Objects;

/** A question of a batch. Its text has nothing of the token. */
public final class Question {
  private final transient byte[] token;
  private final Requestor requestor;
  private final Resource resource;

  /**
   * A question about a token as it was received.
   *
   * @param token as text
   * @param requestor whom it must be for
   * @param resource what is about to be played
   */
  public Question(String token, Requestor requestor, Resource resource) {
    this(Texts.bytes(token), requestor, resource);
  }

  /**
   * A question about a token as it was received.
   *
   * @param token as bytes
   * @param requestor whom it must be for
   * @param resource what is about to be played
   */
  public Question(byte[] token, Requestor requestor, Resource resource) {
    // A form has no empty values; the daemon trims the space.
    this.token = token.length == 0 ? new byte[] {' '} : token.clone();
    this.requestor = Objects.requireNonNull(requestor, "expected a requestor, found null; CONFIGURED is the daemon's own");
    this.resource = Objects.requireNonNull(resource, "expected a resource, found null; CONFIGURED is the daemon's own");
  }

  byte[] token() {
    return token;
  }

  Requestor requestor() {
    return requestor;
  }

  Resource resource() {
    return resource;
  }
}
