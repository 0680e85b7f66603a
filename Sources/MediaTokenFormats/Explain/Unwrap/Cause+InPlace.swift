internal import MediaToken

extension Cause {
  private static let noToken: Cure = "find out why the client had no token when it sent this"
  private static let shortToken: Cure =
    "send the short media token: the value of serializedToken in Adobe's answer, or what tokenRequestor's callback gets"

  /// Texts in place of a token, by their whole look.
  static let inPlace = [
    Cause(
      "is the word {}, which a program writes where a variable has no value", noToken,
      [
        "undefined", "null", "nil", "none", "(null)", "(nil)", "NaN", "true", "false", "[object Object]",
        "[object Promise]", "token", "<token>", "changeme", "test", "string",
      ]),
    Cause(
      "is a placeholder, such as ${token}, in whose place no token was put", noToken,
      [
        "${_~_}", "{{_~_}}", "#{_~_}", "%{_~_}", "{_~_}", "<%=_~_%>", "$(_~_)", "$~", "%~%", ":~", "your+token",
        "<your+token>", "token+here",
      ]),
    Cause(
      "was redacted: a program wrote this where it does not show a value", "copy it from where it is shown",
      ["[redacted]", "<redacted>", "[filtered]", "[masked]", "[hidden]", "[secure]", "[private]"]),
    Cause(
      "is how a program prints an object or bytes, without what is in them", "send the text that is in it",
      ["+@^", "System.Byte[]", "<~ object at 0x^>", "<~: 0x^>", "[object ~]"]),
    Cause("is a JSON Web Token (JWT), and not a short media token", shortToken, ["eyJ+.*"]),
    Cause(
      "is an authentication or authorization token of Adobe Pass, and not a short media token", shortToken,
      ["<simpleToken*", "<*<simpleToken*"]),
    Cause("is an HTML page, such as a proxy's error", noToken, ["<!doctype html*", "<html*"]),
    Cause("is SAML, and not a short media token", shortToken, ["<saml*", "<*urn:oasis:names:tc:SAML:*"]),
    Cause("is an error in XML, as Adobe's REST API v1 has it", noToken, ["<error>*", "<?xml*?>_<error>*"]),
    Cause("is an error in JSON, as Adobe's REST API v2 has it: {}", noToken, ["{*\"status\"*\"code\"_:_\"~\"*"]),
    Cause("is JSON without a token", noToken, ["{_}", "{_\"*\"_:*", "[_]", "[_{_\"*"]),
    Cause("is an address (URL) without a token", noToken, ["http://+", "https://+"]),
    Cause(
      "was made lower case, and a token's upper case letters matter",
      "look for something on the way that makes text lower case, such as a search field",
      ["phnpz25hdhvyzuluzm8*", "<signatureinfo>*"]),
    Cause("is base64 of gzip: it was compressed", "decompress it before you pass it on", ["H4sI+"]),
    Cause(
      "is the signed part of a token, without the signature and the two markers signatureInfo",
      "send the whole value as it came, which is no XML document", ["<authToken>*", "<shortAuthorizationToken>*"]),
  ]

  static let severalTokens = Cause(
    "is more than one token", "send each token by itself; a proxy joins headers of one name with commas")

  private static let room: Cure =
    "look for a field, a column or a header on the way that has no room for the whole token"
  static let cutOff = Cause("was cut off after {} bytes: it has no end tag", room)
  static let cutOffInSignature = Cause("was cut off after {} bytes: it ends inside the signature", room)

  /// Remains of a token, by the text from its apparent beginning.
  static let remains = [
    Cause(
      "has lost its beginning: the first marker signatureInfo, and perhaps more",
      "copy the whole value from its first line on"
    ) { text in
      ["<authToken>", "<shortAuthorizationToken>"].contains { text.starts(with: "<signatureInfo>\($0)".utf8) }
        ? [[]] : []
    },
    Cause(
      "was shortened for display: it has an ellipsis or dots in place of the rest",
      "copy the whole value: developer tools and logs show a part of it"
    ) { text in
      let rest = text.drop(while: TextBytes.isBase64)
      return ["\u{2026}", "..."].contains { rest.starts(with: $0.utf8) } ? [[]] : []
    },
  ]
}
