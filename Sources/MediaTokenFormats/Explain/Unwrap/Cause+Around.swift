internal import MediaToken

extension Cause {
  /// Texts before a token, from the most special to the most general.
  static let around = [
    Cause("is an address of the kind data:", "send what comes after its comma", ["*data:+,"]),
    Cause(
      "is a whole answer of decisions/authorize of Adobe's REST API v2",
      Cure { "give it as it is, with \($0.part(.decision))" },
      ["*\"token\"_:_{*\"serializedToken\"_:_\""]),
    Cause(
      "is a JSON object with the member serializedToken, an answer of Adobe's REST API v1",
      "send the value of serializedToken alone", ["*\"serializedToken\"_:_\""]),
    Cause(
      "is a JSON object with the token in its member {}", "send the value of {} alone",
      ["*\"~\"_:_\"", "*\"~\"_:_[_\"", "*\\\"~\\\"_:_\\\"", "*'~'_:_'"]),
    Cause("is a JSON list with the token in it", "send the value alone", ["[_\""]),
    Cause(
      "is a form of several parts with the token in its field {}", "send the field's value alone",
      ["*Content-Disposition:_form-data;_name=\"~\"_"]),
    Cause(
      "has an XML declaration before it, although a token is no XML document",
      "send the token as Adobe's client returned it", ["<?xml*?>_"]),
    Cause(
      "is XML with the token in its element {}", "send the text of {} alone, with its escapes decoded",
      ["*<~>_", "*<+:~>_", "*<~ *\">_", "*<~>_<![CDATA[_"]),
    Cause(
      "is a value as a program prints it, which begins with {}",
      "send the value itself, and not what a program prints for people",
      ["b'", "b\"", "* b'", "*=b'", "*Optional(\"", "*Optional(", "*Some(\"", "*@\""]),
    Cause(
      "has the scheme {} before it",
      "send what comes after the scheme; a route of /v1/auth takes it in the header Authorization",
      ["*Bearer_", "*Basic_", "*OAuth_", "*MediaToken _", "*SAML_", "Token _"]),
    Cause(
      "is an address (URL) with the token in its parameter {}", "send the parameter's value alone, decoded once",
      ["*~://+~=", "*?+~="]),
    Cause(
      "is a form with the token in its field {}",
      "send it as application/x-www-form-urlencoded, or the value alone",
      ["*~=+&~="]),
    Cause("has the name {}= before it", "send the value alone", ["*~="]),
    Cause(
      "has a name before it, as a header or YAML has: {}", "send the value alone",
      ["*~_:_", "*~:_>_", "*~:_>-_", "*~:_|_", "*~:_|-_"]),
    Cause(
      "has quotation marks around it, the first of which is {}",
      "send the value without its quotation marks, or the whole object as application/json",
      ["*\"", "*'", "*`", "*\u{201C}", "*\u{201E}", "*\u{2018}", "*\u{AB}"]),
    Cause(
      "begins with a byte order mark, U+FEFF",
      "save the token without a byte order mark, which editors put at the beginning of a file", ["\u{FEFF}*"]),
  ]
  static let otherText = Cause(
    "has other text around the token", "send the token alone, without anything around it")
}
