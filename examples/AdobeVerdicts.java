import com.adobe.entitlement.verifier.CryptoDataHolder;
import com.adobe.entitlement.verifier.ITokenVerifier;
import com.adobe.entitlement.verifier.ITokenVerifierFactory;
import com.adobe.entitlement.verifier.SimpleTokenPKISignatureVerifierFactory;
import com.adobe.tve.crypto.SignatureVerificationCredential;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Asks Adobe's verifier about tokens, and writes what it says as lines of a batch, which mediatoken compares with its own
 * verdicts. Adobe gives its JAR to licensees; this file has nothing of it but the names that Adobe's public documentation
 * of the Media Token Verifier prints, in its sample.
 *
 * <pre>
 * javac -cp mediatoken-verifier-VERSION.jar AdobeVerdicts.java
 * java -cp mediatoken-verifier-VERSION.jar:. AdobeVerdicts REQUESTOR RESOURCE &lt;tokens &gt;lines
 * mediatoken verify --batch lines --keys media_token_keystore.jks --allow-rsa-1024 FINGERPRINT --any-requestor --any-resource
 * </pre>
 *
 * Tokens come one per line: raw, or base64 as REST API v2 gives them, which is decoded before Adobe's verifier sees it. With
 * RESOURCE - it is asked about authenticity and life alone, isValid(null). Each line of the answer has the instant of the
 * question, so that the comparison may come later.
 */
public final class AdobeVerdicts {
  /** The keystore in Adobe's JAR, and its documented password, which guards a checksum only. */
  private static final String KEYSTORE = "media_token_keystore.jks";
  private static final String PASSWORD = "123456";
  /** How base64 of a token begins: with that of {@code <signatureInfo>}, as far as it does not depend on what follows. */
  private static final String BASE64 = "PHNpZ25hdHVyZUluZm8";

  private final ITokenVerifierFactory factory = new SimpleTokenPKISignatureVerifierFactory();
  private final CryptoDataHolder keys = new CryptoDataHolder();
  private final String requestor;
  private final String resource;

  private AdobeVerdicts(String requestor, String resource) throws Exception {
    this.requestor = requestor;
    this.resource = resource;
    try (InputStream keystore = AdobeVerdicts.class.getClassLoader().getResourceAsStream(KEYSTORE)) {
      if (keystore == null) throw new IOException("there is no " + KEYSTORE + " on the class path; name Adobe's JAR with -cp");
      keys.setCertificateInfo(new SignatureVerificationCredential(keystore, PASSWORD, "jks"));
    }
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length != 2) {
      System.err.println("expected: AdobeVerdicts REQUESTOR RESOURCE|- <tokens >lines");
      System.exit(2);
    }
    AdobeVerdicts verdicts = new AdobeVerdicts(arguments[0], arguments[1].equals("-") ? null : arguments[1]);
    OutputStream output = new BufferedOutputStream(System.out);
    // Each byte is a character, so that a token arrives as it came.
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.ISO_8859_1));
    int lines = 0;
    for (String token = input.readLine(); token != null; token = input.readLine()) {
      if (token.isEmpty()) continue;
      output.write(verdicts.line(token.getBytes(StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.UTF_8));
      lines++;
    }
    output.flush();
    if (System.out.checkError()) throw new IOException("cannot write the lines");
    System.err.println(lines + (lines == 1 ? " token" : " tokens") + " asked about");
  }

  /** One line of the batch. The token is base64 of its bytes, so that it arrives as it came. */
  private String line(byte[] token) {
    long now = System.currentTimeMillis();
    String expected = verdict(token);
    return "{\"tokenBase64\":\"" + Base64.getEncoder().encodeToString(token) + "\",\"requestor\":" + quoted(requestor)
        + (resource == null ? "" : ",\"resource\":" + quoted(resource))
        + ",\"at\":\"" + now + "\",\"expected\":\"" + expected + "\"}\n";
  }

  /** What Adobe's verifier says. One that throws has no verdict, as one that was not asked: ERROR_UNKNOWN. */
  private String verdict(byte[] token) {
    try {
      String text = new String(token, StandardCharsets.UTF_8);
      if (text.startsWith(BASE64)) text = new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
      ITokenVerifier verifier = factory.getInstance(requestor, text, keys);
      return verifier.isValid(resource).toString();
    } catch (Exception problem) {
      // Its message may hold the token.
      System.err.println("the verifier threw " + problem.getClass().getName());
      return "ERROR_UNKNOWN";
    }
  }

  /** A JSON string (RFC 8259, section 7). */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char unit : text.toCharArray()) {
      quoted.append(unit < 0x20 || unit == '"' || unit == '\\' ? String.format("\\u%04x", (int) unit) : unit);
    }
    return quoted.append('"').toString();
  }
}
