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

  static let wrapped: [(String, [Wrapper])] = [
    (json(base64), [.jsonString]), (json(raw), [.jsonString]),
    ("[\(json(base64))]", [.jsonMember("without a plain name")]),
    (raw.replacing("<", with: "\\u003c").replacing(">", with: "\\u003e"), [.jsonEscapes]),
    (base64.replacing("/", with: "\\/") + "\\n", [.jsonEscapes]),
    (#"{"mvpdId":"M","serializedToken":"\#(base64)","userId":"u"}"#, [.jsonMember("serializedToken")]),
    (#"{"a":{"b":[{"media":"\#(base64)"}]}}"#, [.jsonMember("media")]),
    (
      #"{"decisions":[{"resource":"TNT","authorized":true,"token":{"serializedToken":"\#(base64)"}}]}"#, [.decision]
    ),
    (
      "<mediaToken><serializedToken>\(base64)</serializedToken><resource>TNT</resource></mediaToken>",
      [.xmlElement("serializedToken")]
    ),
    ("<m:token xmlns:m='x'><m:s>\(html(raw))</m:s></m:token>", [.xmlElement("s"), .htmlEscapes]),
    ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + raw, [.xmlDeclaration]),
    (html(raw), [.htmlEscapes]), (html(html(raw)), [.htmlEscapes, .htmlEscapes]),
    (
      raw.replacing("<", with: "&#60;").replacing(">", with: "&#x3E;").replacing("&amp;", with: "&#38;amp;"),
      [.htmlEscapes]
    ),
    (folded(base64, by: "\n"), [.base64Lines]), (folded(base64, by: "\r\n"), [.base64Lines]),
    (folded(base64, by: "=\r\n").replacing("==", with: "=3D=3D"), [.quotedPrintable]),
    (percent.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "", [.percentEncoding]),
    (Data(base64.utf8).base64EncodedString(), [.base64]), (Data(percent.utf8).base64EncodedString(), [.base64]),
    (Data(Data(base64.utf8).base64EncodedString().utf8).base64EncodedString(), [.base64, .base64]),
    (base64.prefix(99) + "\u{200B}" + base64.dropFirst(99), [.invisible(0x200B, offset: 99)]),
    ("\u{A0}" + base64, [.invisible(0xA0, offset: 0)]),
    (base64 + "\u{3000}", [.invisible(0x3000, offset: base64.utf8.count)]),
    ("\u{FEFF}" + base64, [.byteOrderMark]), ("\u{FEFF}" + html(raw), [.byteOrderMark, .htmlEscapes]),
    ("\u{201C}\(base64)\u{201D}", [.quotes("\u{201C} \u{201D}")]), ("'\(base64)'", [.quotes("' '")]),
    ("`\(base64)`", [.quotes("` `")]),
    ("\u{AB}\(base64)\u{BB}", [.quotes("\u{AB} \u{BB}")]), ("'\(base64)", [.quotes("' '")]),
    ("<\(base64)>", [.otherText]),
    ("Bearer \(base64)", [.scheme("Bearer")]), ("bearer  \(base64)", [.scheme("bearer")]),
    ("Authorization: Bearer \(base64)", [.headerLine("Authorization"), .scheme("Bearer")]),
    ("X-Media-Token:\(base64)", [.headerLine("X-Media-Token")]),
    ("token=\(percent)", [.parameter("token")]), ("media_token=\(base64)&x=1", [.parameter("media_token")]),
    ("https://link.example/s/x?mbr=true&auth=\(percent)", [.address("auth")]),
    ("http://a.example/#t=\(base64)", [.address("t")]),
    ("b'\(base64)'", [.printed("b'…', as Python does")]),
    ("Optional(\"\(base64)\")", [.printed("Optional(\"…\"), as Swift does")]),
    ("Optional(\(base64))", [.printed("Optional(…), as Swift does")]),
    ("Some(\"\(base64)\")", [.printed("Some(\"…\"), as Rust does")]),
    ("here it is, \(base64)", [.otherText]),
    ("\"token\": \(json(base64)),", [.quotes("\" \""), .otherText]),
  ]

  @Test(arguments: wrapped)
  func tokenInsideSomethingIsFound(text: String, layers: [Wrapper]) throws {
    let found = Self.unwrap(text.utf8)
    #expect(found.layers == layers, "\(found.layers)")
    let inside = try #require(found.inside)
    var buffers = Armor.Buffers()
    #expect(throws: Never.self) { _ = try Armor.decode(inside.span, into: &buffers) }
  }

  @Test(arguments: [true, false], [true, false])
  func utf16IsRead(isBig: Bool, hasMark: Bool) throws {
    let text = (hasMark ? "\u{FEFF}" : "") + Self.base64 + "\r\n"
    let bytes = text.utf16.flatMap {
      isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
    }
    let found = Self.unwrap(bytes)
    #expect(found.layers == [.utf16])
    #expect(found.inside == Array(Self.base64.utf8))
  }

  @Test(
    arguments: [
      ("undefined", .placeholder("undefined")), ("NULL", .placeholder("null")),
      ("[object Object]", .placeholder("[object Object]")),
      ("\"undefined\"", .jsonString), ("${token}", .template), ("{{ media.token }}", .template),
      ("$TOKEN", .template), ("%TOKEN%", .template),
      ("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln", .jwt),
      ("<simpleTokenAuthenticationGuid>x</simpleTokenAuthenticationGuid>", .longToken),
      (base64.prefix(120) + "\u{2026}" + base64.suffix(60), .shortened), (base64.prefix(200) + "...", .shortened),
      (base64 + "," + base64, .severalTokens), (base64 + "\n" + base64, .severalTokens),
      (raw + raw, .severalTokens), (percent + percent, .severalTokens),
    ] as [(String, Wrapper)])
  func whatIsNoTokenIsNamed(text: String, layer: Wrapper) {
    let found = Self.unwrap(text.utf8)
    #expect(found.layers.first == layer, "\(found.layers)")
    #expect(found.inside == nil)
  }

  @Test(arguments: [
    raw, base64, percent, " \(base64)\n", "", "   ", "hello", "{}", "{\"a\":1}", "<a>b</a>",
    String(repeating: "A", count: 70_000),
  ])
  func whatIsATokenOrUnknownHasNoLayers(text: String) {
    let found = Self.unwrap(text.utf8)
    #expect(found.layers.isEmpty, "\(found.layers)")
    #expect(found.inside == nil)
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
        for layer in found.layers { #expect(!(layer.sentence + layer.cure).contains("QUJDQUJD")) }
      }
    }
  }
}
