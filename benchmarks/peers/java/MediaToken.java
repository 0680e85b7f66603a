import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.Signature;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** Verifies raw media tokens with the JDK alone: Signature, then StAX. What is costly to make is made once. */
final class MediaToken {
  static final class Refused extends Exception {
    Refused(String why) {
      super(why);
    }
  }

  private static final byte[] MARKER = "<signatureInfo>".getBytes(StandardCharsets.US_ASCII);
  private static final DateTimeFormatter ISSUE_TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx");

  private final Signature signature = Signature.getInstance("SHA256withRSA");
  private final XMLInputFactory xml = XMLInputFactory.newDefaultFactory();
  private final String requestor;
  private final String resource;

  MediaToken(PublicKey key, String requestor, String resource) throws Exception {
    signature.initVerify(key);
    xml.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    xml.setProperty(XMLInputFactory.IS_COALESCING, true);
    this.requestor = requestor;
    this.resource = resource;
  }

  /** The fields of a token that is genuine, current and meant for this requestor and resource. */
  Map<String, String> verify(byte[] token) throws Exception {
    if (!markerAt(token, 0)) throw new Refused("expected a signatureInfo");
    int end = MARKER.length;
    while (end < token.length && token[end] != '<') end++;
    if (!markerAt(token, end)) throw new Refused("expected a second signatureInfo");
    byte[] signed = Base64.getDecoder().decode(Arrays.copyOfRange(token, MARKER.length, end));
    int start = end + MARKER.length;
    signature.update(token, start, token.length - start);
    if (!signature.verify(signed)) throw new Refused("the signature is not good");
    Map<String, String> fields = fields(token, start);
    check(fields);
    return fields;
  }

  private static boolean markerAt(byte[] token, int at) {
    return at + MARKER.length <= token.length
        && Arrays.equals(token, at, at + MARKER.length, MARKER, 0, MARKER.length);
  }

  private Map<String, String> fields(byte[] token, int start) throws XMLStreamException {
    var fields = new HashMap<String, String>();
    var bytes = new ByteArrayInputStream(token, start, token.length - start);
    XMLStreamReader reader = xml.createXMLStreamReader(bytes, "UTF-8");
    reader.nextTag();
    reader.require(XMLStreamReader.START_ELEMENT, null, "authToken");
    while (reader.nextTag() == XMLStreamReader.START_ELEMENT) {
      fields.put(reader.getLocalName(), reader.getElementText());
    }
    reader.close();
    return fields;
  }

  private void check(Map<String, String> fields) throws Refused {
    if (fields.get("sessionGUID") == null || fields.get("mvpdId") == null) throw new Refused("a field is missing");
    long issued = OffsetDateTime.parse(fields.get("issueTime"), ISSUE_TIME).toEpochSecond() * 1000;
    long now = System.currentTimeMillis();
    if (now < issued - 60_000) throw new Refused("it is not valid yet");
    if (now >= issued + Long.parseLong(fields.get("ttl"))) throw new Refused("it has expired");
    if (!requestor.equals(fields.get("requestorID"))) throw new Refused("it is for another requestor");
    if (!resource.equals(fields.get("resourceID"))) throw new Refused("it is for another resource");
  }
}
