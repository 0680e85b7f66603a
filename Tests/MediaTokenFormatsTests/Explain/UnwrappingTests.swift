import Foundation
import MediaToken
import Testing

@testable import MediaTokenFormats

/// What people send in place of a token, or around it: each layer is named, and what is inside is the token.
@Suite struct UnwrappingTests {
  /// Not signed; steps 1 and 2 take it.
  static let raw =
    "<signatureInfo>\(String(repeating: "QUJD", count: 40))<signatureInfo><authToken><resourceID>TNT &amp; CO…</resourceID></authToken>"
  static let base64 = Data(raw.utf8).base64EncodedString()
  static let percent = raw.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""

  /// Two of three tokens end with padding.
  static let padded = Data(raw.replacing("CO…", with: raw.utf8.count % 3 == 0 ? "CO…x" : "CO…").utf8)
    .base64EncodedString()

  static func hexadecimal(_ text: String) -> String {
    text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  static func unwrap(_ bytes: some Sequence<UInt8>) -> Unwrapping { Unwrapping(Array(bytes).span) }

  static func html(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  static func json(_ text: String) -> String {
    String(decoding: (try? JSONEncoder().encode(text)) ?? Data(), as: UTF8.self)
  }

  static func folded(_ text: String, by end: String) -> String {
    stride(from: 0, to: text.utf8.count, by: 76).map { String(text.dropFirst($0).prefix(76)) }.joined(
      separator: end)
  }

  static let wrapped: [(String, [String])] = [
    (json(base64), ["quotation marks"]), (json(raw), ["quotation marks", "escapes of JSON"]),
    ("[\(json(base64))]", ["is a JSON list"]),
    (raw.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e"), ["escapes of JSON"]),
    (base64.replacing("/", with: "\\/") + "\\n", ["escapes of JSON"]),
    (#"{"mvpdId":"M","serializedToken":"\#(base64)","userId":"u"}"#, ["REST API v1"]),
    (#"{"a":{"b":[{"media":"\#(base64)"}]}}"#, ["JSON object with the token in its member media"]),
    (
      #"{"decisions":[{"resource":"TNT","authorized":true,"token":{"serializedToken":"\#(base64)"}}]}"#,
      ["is a whole answer of decisions/authorize"]
    ),
    (
      "<mediaToken><serializedToken>\(base64)</serializedToken><resource>TNT</resource></mediaToken>",
      ["its element serializedToken"]
    ),
    ("<m:token xmlns:m='x'><m:s>\(html(raw))</m:s></m:token>", ["its element s", "HTML escapes"]),
    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + raw, ["an XML declaration"]),
    (html(raw), ["HTML escapes"]), (html(html(raw)), ["HTML escapes", "HTML escapes"]),
    (
      raw.replacing("<", with: "&#60;").replacing(">", with: "&#x3E;").replacing("&amp;", with: "&#38;amp;"),
      ["HTML escapes"]
    ),
    // What is no escape stays: the text of this resource is a part of the signed bytes.
    (html(raw).replacing("TNT &amp;amp; CO…", with: "TNT &amp;amp; &&Co; &CO…"), ["HTML escapes"]),
    (folded(base64, by: "\n"), ["base64 with line breaks"]),
    (folded(base64, by: "\r\n"), ["base64 with line breaks"]),
    (folded(base64, by: "=\r\n").replacing("==", with: "=3D=3D"), ["quoted-printable"]),
    (
      percent.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "", ["percent-encoded once too often"]
    ),
    (Data(base64.utf8).base64EncodedString(), ["is encoded twice"]),
    (Data(percent.utf8).base64EncodedString(), ["is encoded twice"]),
    (
      Data(Data(base64.utf8).base64EncodedString().utf8).base64EncodedString(),
      ["is encoded twice", "is encoded twice"]
    ),
    (base64.prefix(99) + "\u{200B}" + base64.dropFirst(99), ["U+200B at byte 99"]),
    ("\u{A0}" + base64, ["U+00A0 at byte 0"]),
    (base64 + "\u{3000}", ["U+3000 at byte \(base64.utf8.count)"]),
    ("\u{FEFF}" + base64, ["byte order mark"]), ("\u{FEFF}" + html(raw), ["byte order mark", "HTML escapes"]),
    ("\u{201C}\(base64)\u{201D}", ["the first of which is \u{201C}"]), ("'\(base64)'", ["the first of which is '"]),
    ("`\(base64)`", ["the first of which is `"]),
    ("\u{AB}\(base64)\u{BB}", ["the first of which is \u{AB}"]), ("'\(base64)", ["the first of which is '"]),
    ("<\(base64)>", ["other text"]),
    ("Bearer \(base64)", ["the scheme Bearer"]), ("bearer  \(base64)", ["the scheme Bearer"]),
    ("Authorization: Bearer \(base64)", ["a header or YAML has: Authorization", "the scheme Bearer"]),
    ("X-Media-Token:\(base64)", ["a header or YAML has: X-Media-Token"]),
    ("token=\(percent)", ["the name token= before"]),
    ("media_token=\(base64)&x=1", ["the name media_token= before"]),
    ("https://link.example/s/x?mbr=true&auth=\(percent)", ["its parameter auth"]),
    ("http://a.example/#t=\(base64)", ["its parameter t"]),
    ("b'\(base64)'", ["as a program prints it"]),
    ("Optional(\"\(base64)\")", ["as a program prints it"]),
    ("Optional(\(base64))", ["as a program prints it"]),
    ("Some(\"\(base64)\")", ["as a program prints it"]),
    ("here it is, \(base64)", ["other text"]),
    // Once two layers, a quotation mark and other text: it is a member's line.
    ("\"token\": \(json(base64)),", ["its member token"]),
    // Among lines. Padding at the end of one is no soft line break of quoted-printable.
    (
      "> GET / HTTP/1.1\n> Host: a.example\n> X-Media-Token: \(padded)\n>\n< HTTP/1.1 403 Forbidden",
      ["has: X-Media-Token"]
    ),
    ("GET / HTTP/1.1\r\nX-Media-Token: \(padded)\r\nAccept: */*\r\n", ["has: X-Media-Token"]),
    ("-----BEGIN TOKEN-----\n\(padded)\n-----END TOKEN-----", ["other text"]),
    ("-----BEGIN TOKEN-----\n\(folded(padded, by: "\n"))\n-----END TOKEN-----", ["other text", "line breaks"]),
    ("Hi, the token is\n\(padded)\nplease have a look", ["other text"]),
    ("\(padded)\nplease have a look", ["other text"]),
    ("\(folded(padded, by: "\n"))\nplease have a look", ["other text", "line breaks"]),
    ("player:\n  token: \(padded)\n  ttl: 5", ["has: token"]),
    ("token: >-\n  \(folded(padded, by: "\n  "))\nttl: 5", ["has: token", "line breaks"]),
    ("token: |\n  \(folded(padded, by: "\n  "))\nttl: 5", ["has: token", "line breaks"]),
    ("Name  : a\nToken : \(folded(padded, by: "\n        "))\nAge   : 1", ["has: Token", "line breaks"]),
    ("--b\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n\(padded)\r\n--b--", ["its field token"]),
    ("{code}\n\(padded)\n{code}", ["other text"]), ("```\n\(padded)\n```", ["other text"]),
    ("curl -H \"X-Media-Token: \(padded)\" https://a.example/", ["has: X-Media-Token"]),
    ("X: \(folded(padded, by: "=\n").replacing("==", with: "=3D=3D"))\n\na=3Db", ["has: X", "quoted-printable"]),
    ("log: \(raw) was refused\nat 12:00", ["has: log"]),
    (#"{"a":"{\"t\":\"\#(padded)\"}"}"#, ["its member t"]),
    ("Authorization: Bearer b'\(padded)'", ["has: Authorization", "the scheme Bearer", "as a program prints it"]),
    // The parameter that has the token.
    ("requestor=REF30&token=\(percent)&resource=TNT", ["its field token"]),
    ("10.0.0.7 - - [29] \"GET /play?auth=\(percent) HTTP/1.1\" 403", ["its parameter auth"]),
    ("data:text/plain;base64,\(padded)", ["of the kind data:"]),
    (
      base64.replacing("/", with: "_").replacing("+", with: "\u{2011}"), ["U+2011 at byte 19"]
    ),
    (raw.replacing("<", with: "\\x3C").replacing("…", with: "\\xE2\\x80\\xA6"), ["\\x3C"]),
    ("<" + hexadecimal(base64) + ">", ["hexadecimal"]), ("0x" + hexadecimal(raw), ["hexadecimal"]),
    ("\\x" + hexadecimal(raw), ["hexadecimal"]),
    // One level alone is undone: the token has escapes of its own.
    ("{\"t\":\"\(raw.replacing("<", with: "\\u003c"))\"}", ["its member t", "escapes of JSON"]),
  ]

  static func says(_ found: Unwrapping, _ layers: [String]) -> Bool {
    found.layers.count == layers.count && zip(found.layers, layers).allSatisfy { $0.sentence.contains($1) }
  }

  @Test(arguments: wrapped)
  func tokenInsideSomethingIsFound(text: String, layers: [String]) throws {
    let found = Self.unwrap(text.utf8)
    #expect(Self.says(found, layers), "\(found.layers.map(\.sentence))")
    let inside = try #require(found.inside)
    var buffers = Armor.Buffers()
    var decoded: [UInt8] = []
    decoded.append(copying: try Armor.decode(inside.span, into: &buffers).bytes)
    // All of it is there, and unchanged.
    let texts = ["CO…", "CO…x", "&&Co; &CO…"].map { Self.raw.replacing("CO…", with: $0) }
    #expect(texts.contains(String(decoding: decoded, as: UTF8.self)))
  }

  @Test(arguments: [true, false], [true, false])
  func utf16IsRead(isBig: Bool, hasMark: Bool) throws {
    let text = (hasMark ? "\u{FEFF}" : "") + Self.base64 + "\r\n"
    let bytes = text.utf16.flatMap {
      isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    let found = Self.unwrap(bytes)
    #expect(Self.says(found, ["UTF-16"]))
    #expect(found.inside == Array(Self.base64.utf8))
  }

  static let signed = "<authToken><resourceID>TNT</resourceID></authToken>"

  /// The layers, the last of which is what came in place of a token.
  @Test(
    arguments: [
      ("undefined", ["the word undefined"]), ("NULL", ["the word null"]), ("[object Object]", ["[object Object]"]),
      ("\"undefined\"", ["quotation marks", "the word undefined"]),
      ("token=null&x=1", ["token=", "the word null"]),
      ("Authorization: Bearer null", ["has: Authorization", "scheme Bearer", "the word null"]),
      ("${token}", ["a placeholder"]), ("{{ media.token }}", ["a placeholder"]), ("$TOKEN", ["a placeholder"]),
      ("%TOKEN%", ["a placeholder"]), ("YOUR_TOKEN", ["a placeholder"]),
      ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", ["JWT"]),
      ("Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", ["scheme Bearer", "JWT"]),
      ("<simpleTokenAuthenticationGuid>x</simpleTokenAuthenticationGuid>", ["an authentication or authorization"]),
      (base64.prefix(120) + "\u{2026}" + base64.suffix(60), ["was shortened"]),
      (base64.prefix(200) + "...", ["was shortened"]),
      ("X: \(base64.prefix(200))...", ["has: X", "was shortened"]),
      (base64 + "," + base64, ["more than one"]), (base64 + "\n" + base64, ["more than one"]),
      ("X: \(base64), \(base64)", ["has: X", "more than one"]),
      (raw + raw, ["more than one"]), (percent + percent, ["more than one"]),
      (
        #"{"status":403,"code":"authorization_denied_by_mvpd","message":"x","action":"none"}"#,
        ["an error in JSON, as Adobe's REST API v2 has it: authorization_denied_by_mvpd"]
      ),
      (#"{"decisions":[{"authorized":false,"error":{"status":403,"code":"no_access"}}]}"#, ["has it: no_access"]),
      ("{}", ["JSON without"]), ("{\"a\":1}", ["JSON without"]), ("[]", ["JSON without"]),
      (Data(signed.utf8).base64EncodedString(), ["of another kind", "the signed part"]),
      (signed, ["the signed part"]),
      (
        Data("<samlp:Response xmlns:samlp='urn:oasis:names:tc:SAML:2.0:protocol'></samlp:Response>".utf8)
          .base64EncodedString(), ["of another kind", "is SAML"]
      ),
      (String(base64.dropFirst(76)), ["of another kind", "lost its beginning"]),
      (String(raw.dropFirst(20)), ["lost its beginning"]),
      ("<error><status>403</status></error>", ["error in XML"]), ("<!DOCTYPE html><html></html>", ["HTML page"]),
      ("<HTML><body>", ["HTML page"]), ("https://media.example/a.m3u8", ["an address (URL) without"]),
      ("com.example.MediaToken@1b6d3586", ["prints an object"]), ("System.Byte[]", ["prints an object"]),
      ("[B@1b6d3586", ["prints an object"]), ("<a.Token object at 0x7f00aabbccdd>", ["prints an object"]),
      ("[REDACTED]", ["was redacted"]), (base64.lowercased(), ["lower case"]),
      (
        "SAMLResponse=\(Data("<saml:Response />".utf8).base64EncodedString())",
        ["SAMLResponse=", "another kind", "is SAML"]
      ),
      ("H4sIAAAAAAAAA7NJLC3JyM8DAA==", ["gzip"]), ("\"H4sIAAAAAAAAA7NJLC3JyM8DAA==\"", ["quotation", "gzip"]),
    ] as [(String, [String])])
  func whatComesInPlaceOfATokenIsNamed(text: String, layers: [String]) {
    let found = Self.unwrap(text.utf8)
    #expect(Self.says(found, layers), "\(found.layers.map(\.sentence))")
    #expect(found.inside == nil)
  }

  @Test(arguments: [
    raw, base64, percent, " \(base64)\n", "", "   ", "hello", "<a>b</a>", "a: b", "a=b", "Bearer x", "'x'", "`",
    "~",
    "a@b.example", "x%20y", "https://a.example/ is an address", "{token, please}", "this is a test",
    Data("no token is in this text".utf8).base64EncodedString(), String(repeating: "A", count: 70_000),
  ])
  func whatIsATokenOrUnknownHasNoLayers(text: String) {
    let found = Self.unwrap(text.utf8)
    #expect(found.layers.isEmpty, "\(found.layers.map(\.sentence))")
    #expect(found.inside == nil)
  }

  /// A name in front of a token is shown only if it is no secret.
  @Test(arguments: [
    "feedfacefeedfacefeedfacefeedface", "feedface-feed-face-feed-facefeedface", String(base64.suffix(40)),
  ])
  func secretsAreNoNames(name: String) {
    for text in ["\(name)=\(Self.base64)", "{\"\(name)\":\"\(Self.base64)\"}", "<\(name)>\(Self.html(Self.raw))"] {
      let found = Self.unwrap(text.utf8)
      #expect(!found.layers.isEmpty && found.inside != nil)
      for layer in found.layers {
        #expect(!(layer.sentence + layer.cure.text(in: .service)).contains(name.suffix(12)))
      }
    }
  }

  /// Texts of the greatest length that lead a search into its codes, patterns and candidates: no work grows with the square of the length.
  @Test(arguments: [
    "\\\\", "%25", "&amp;", "PHNpZ25hdHVyZUluZm8 a ", "<signatureInfo>oken>", "\"a\":\"", "\u{200B}",
  ])
  func hostileTextsTakeLittleTime(part: String) {
    let repeated = String(repeating: part, count: Limits.receivedBytes / part.utf8.count)
    let text = Array(("x: %3CsignatureInfo" + repeated).utf8).prefix(Limits.receivedBytes)
    let time = ContinuousClock().measure { _ = Self.unwrap(text) }
    // This is a debug build; the square of the length would take minutes.
    #expect(time < .seconds(30), "\(part): \(time)")
  }

  /// Every prefix, every kind of wrapper in every other, and random bytes: it ends, and shows no text of what was sent.
  @Test func anythingEnds() {
    var random = SystemRandomNumberGenerator()
    for (text, _) in Self.wrapped.prefix(30) {
      for _ in 0..<40 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
          bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        let found = Self.unwrap(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        #expect(found.layers.count <= Unwrapping.mostLayers)
        for layer in found.layers {
          #expect(!(layer.sentence + layer.cure.text(in: .service)).contains("QUJDQUJD"))
        }
      }
    }
  }
}
