package mediatoken;

/** A class of someone else's that says it is of the kit's package, in which valid tokens could be made. */
public final class Forger {
  private Forger() {}

  public static void main(String[] arguments) throws NotValid {
    String members = """
        {"requestorID": "", "resourceID": "", "mvpdId": "", "sessionGUID": "", "issueTime": "2026-01-01T00:00:00.000Z",
         "expiresAt": "2026-01-01T00:00:00.000Z", "ttlMilliseconds": 0, "keyFingerprint": "%064d", "unknownFields": []}""";
    System.out.println(new ValidToken(Members.of(members.formatted(0).getBytes()), "forged", Use.FIRST, ""));
  }
}
