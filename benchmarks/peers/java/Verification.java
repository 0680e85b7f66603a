import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;

/**
 * A contender: raw media tokens verified as Adobe's Java library does it: see BENCHMARKS.md, "peers".
 *
 * <p>java Verification KEY TOKENS [WARM_UP]: raw tokens, one per line, for REF30 and TNT
 */
final class Verification {
  /** By then HotSpot has compiled all that is hot, if it does so at once (-Xbatch); five times as many gain no more. */
  private static final int WARM_UP = 50_000;

  private static int index = 0;

  public static void main(String[] words) throws Exception {
    byte[][] tokens;
    try (var lines = Files.lines(Path.of(words[1]))) {
      tokens = lines.map(String::getBytes).toArray(byte[][]::new);
    }
    var verifier = new MediaToken(key(Path.of(words[0])), "REF30", "TNT");
    Contender.contend(() -> {
      try {
        verifier.verify(tokens[index]);
      } catch (MediaToken.Refused refused) {
        System.err.println("token " + index + " is not valid: " + refused.getMessage());
        System.exit(1);
      }
      index = (index + 1) % tokens.length;
    }, words.length > 2 ? Integer.parseInt(words[2]) : WARM_UP);
  }

  private static PublicKey key(Path pem) throws Exception {
    String text = Files.readString(pem).replaceAll("-----[A-Z ]+-----", "");
    byte[] der = Base64.getMimeDecoder().decode(text);
    return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(der));
  }
}
