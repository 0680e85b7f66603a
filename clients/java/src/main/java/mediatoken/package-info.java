/**
 * Asks mediatokend whether an Adobe Pass short media token may play.
 *
 * <pre>{@code
 * Client daemon = new Client("/run/mediatokend/mediatokend.sock");
 * try {
 *   ValidToken token = daemon.verify(received, Requestor.of("REF30"), Resource.of("TNT"));
 * } catch (NotValid problem) {
 *   // do not play; problem.action() is what the player does next
 * }
 * }</pre>
 *
 * A {@link mediatoken.ValidToken} is made of an answer that says so and is about the token that was sent. All else is thrown.
 */
package mediatoken;
