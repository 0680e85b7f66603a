/// What a good token may come in, and what may come in its place: one layer around it, as ``Unwrapping`` finds it.
///
/// No case carries what a client sent, except for short names of fields, elements and parameters, and a scalar.
package enum Wrapper: Sendable, Hashable {
  case utf16
  case byteOrderMark
  /// White space and format characters that no one sees, at this byte.
  case invisible(UInt32, offset: Int)
  /// Quotation marks, as they are written.
  case quotes(String)
  case jsonString
  case jsonEscapes
  /// A member of a JSON object, which is Adobe's REST API v1's if it is called `serializedToken`.
  case jsonMember(String)
  /// A whole answer of `decisions/authorize` of the REST API v2.
  case decision
  case xmlDeclaration
  case xmlElement(String)
  case htmlEscapes
  case percentEncoding
  case base64
  case base64Lines
  case quotedPrintable
  /// The scheme of a credential, such as Bearer.
  case scheme(String)
  case headerLine(String)
  /// `name=`
  case parameter(String)
  /// An address, with the parameter that it is in.
  case address(String)
  /// A program's own way to print a value, such as `b'…'`.
  case printed(String)
  case otherText

  // In place of a token.
  case jwt
  /// An authentication or authorization token of Adobe Pass.
  case longToken
  /// A word that programs write where a value is missing.
  case placeholder(String)
  case template
  case shortened
  case severalTokens

  /// What was found, after "it ".
  package var sentence: String {
    switch self {
    case .utf16: "is UTF-16 text, as PowerShell's > writes it"
    case .byteOrderMark: "begins with a byte order mark, U+FEFF"
    case .invisible(let scalar, let offset):
      "has the invisible character \(TextBytes.codePoint(scalar)) at byte \(offset)"
    case .quotes(let marks): "has quotation marks around it: \(marks)"
    case .jsonString: "is a JSON string, with its quotation marks and escapes"
    case .jsonEscapes: "has escapes of JSON, such as \\u003c or \\/"
    case .jsonMember("serializedToken"):
      "is a JSON object with the member serializedToken, an answer of Adobe's REST API v1"
    case .jsonMember(let name): "is a JSON object with the token in its member \(name)"
    case .decision: "is a whole answer of decisions/authorize of Adobe's REST API v2"
    case .xmlDeclaration: "has an XML declaration before it, although a token is no XML document"
    case .xmlElement(let name): "is XML with the token in its element \(name)"
    case .htmlEscapes: "has HTML escapes, such as &lt; for <"
    case .percentEncoding: "is percent-encoded once too often: twice, where once is right"
    case .base64: "is encoded twice: it is base64 of what was encoded already"
    case .base64Lines: "is base64 with line breaks or spaces inside"
    case .quotedPrintable: "is quoted-printable, as mail has it"
    case .scheme(let name): "has the scheme \(name) before it"
    case .headerLine(let name): "is a whole header line, of \(name)"
    case .parameter(let name): "has the name \(name)= before it"
    case .address(let name): "is an address (URL) with the token in its parameter \(name)"
    case .printed(let form): "is a value as a program prints it: \(form)"
    case .otherText: "has other text around the token"
    case .jwt: "is a JSON Web Token (JWT), and not a short media token"
    case .longToken: "is an authentication or authorization token of Adobe Pass, and not a short media token"
    case .placeholder(let word): "is the word \(word), which a program writes where a variable has no value"
    case .template: "is a placeholder, such as ${token}, in whose place no token was put"
    case .shortened: "was shortened for display: it has an ellipsis or dots in place of the rest"
    case .severalTokens: "is more than one token"
    }
  }

  /// What to do about it.
  var cure: String {
    switch self {
    case .utf16: "write it as UTF-8 or ASCII"
    case .byteOrderMark: "save the token without a byte order mark, which editors put at the beginning of a file"
    case .invisible: "copy the token from where nothing formats text, or send it from the program that got it"
    case .quotes, .jsonString: "send the value without its quotation marks, or the whole object as application/json"
    case .jsonEscapes: "decode the JSON before you pass its value on"
    case .jsonMember(let name): "send the value of \(name) alone"
    case .decision: "give it with --decision, or as the member decision of a question in JSON"
    case .xmlDeclaration: "send the token as Adobe's client returned it"
    case .xmlElement(let name): "send the text of \(name) alone, with its escapes decoded"
    case .htmlEscapes: "decode the HTML or XML before you pass its text on"
    case .percentEncoding: "look for two programs on the way that both percent-encode it: once is enough"
    case .base64: "look for two programs on the way that both encode it: once is enough"
    case .base64Lines: "encode without line breaks, as base64 -w0 does"
    case .quotedPrintable: "decode the mail before you pass its text on"
    case .scheme: "send what comes after the scheme; a route of /v1/auth takes it in the header Authorization"
    case .headerLine: "send the header's value alone"
    case .parameter: "send the value alone"
    case .address: "send the parameter's value alone, decoded once"
    case .printed: "send the value itself, and not what a program prints for people"
    case .otherText: "send the token alone, without anything around it"
    case .jwt, .longToken:
      "send the short media token: the value of serializedToken in Adobe's answer, or what tokenRequestor's callback gets"
    case .placeholder, .template: "find out why the client had no token when it sent this"
    case .shortened: "copy the whole value: developer tools and logs show a part of it"
    case .severalTokens: "send each token by itself; a proxy joins headers of one name with commas"
    }
  }
}
