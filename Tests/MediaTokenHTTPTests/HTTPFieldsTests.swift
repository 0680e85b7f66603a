import Testing

@testable import MediaTokenHTTP

@Suite("Header fields")
struct HTTPFieldsTests {
  static func head(_ lines: [String]) -> [UInt8] {
    Array((["GET / HTTP/1.0"] + lines + ["", ""]).joined(separator: "\r\n").utf8)
  }

  /// What a search finds; the value as text.
  static func find(_ name: String, in lines: [String]) -> String {
    let bytes = head(lines)
    var head = RequestHead()
    #expect(head.read(bytes.span, limit: 10_000) == .complete)
    let fields = HeaderFields(bytes.span, head.fields)
    #expect(fields.count == lines.count)
    let name = Array(name.utf8)
    switch fields.find(name.span) {
    case .none: return "none"
    case .repeated: return "repeated"
    case .one(let place):
      let value = fields.value(place)
      return "'" + String(decoding: value.indices.map { value[$0] }, as: UTF8.self) + "'"
    }
  }

  @Test func nameIsFoundInAnyCase() {
    let lines = ["Host: a", "X-Media-Token: \t bc \t", "Empty:"]
    #expect(Self.find("host", in: lines) == "'a'")
    #expect(Self.find("x-MEDIA-token", in: lines) == "'bc'")
    #expect(Self.find("EMPTY", in: lines) == "''")
  }

  /// RFC 9110 section 5.5, at each place among the eight bytes that are looked at together, and after them.
  @Test func aByteMayBeInAValueWhereverItIs() {
    for byte in UInt8.min...UInt8.max {
      for place in 0..<19 {
        var value = [UInt8](repeating: UInt8(ascii: "a"), count: 19)
        value[place] = byte
        #expect(value.span.isFieldValue == (byte >= 0x20 && byte != 0x7F || byte == 0x09), "\(byte) at \(place)")
      }
    }
  }

  @Test(arguments: ["Hos", "Hostt", "", "Ho\u{13}t", "hos\u{54}\u{0}"])
  func otherNameIsNotFound(name: String) { #expect(Self.find(name, in: ["Host: a"]) == "none") }

  /// Setting one bit turns an upper-case letter into a lower-case one, and makes other names of `^` and `_`.
  @Test(arguments: [("X^", "x~"), ("X_", "x\u{7F}"), ("X-", "x\r")])
  func onlyLettersHaveTwoCases(one: String, other: String) {
    #expect(Self.find(other, in: ["\(one): a"]) == "none")
    #expect(Self.find(one, in: ["\(one): a"]) == "'a'")
  }

  @Test func repeatedFieldIsNeverChosenFrom() {
    let lines = ["A: 1", "B: 2", "a: 1"]
    #expect(Self.find("A", in: lines) == "repeated")
    #expect(Self.find("b", in: lines) == "'2'")
  }

  @Test func forgottenFieldsAreGone() {
    let (first, second) = (Self.head(["A: 1"]), Self.head(["B: 2"]))
    var head = RequestHead()
    #expect(head.read(first.span, limit: 100) == .complete)
    head.reset()
    #expect(head.read(second.span, limit: 100) == .complete)
    #expect(HeaderFields(second.span, head.fields).find(Array("A".utf8).span) == .none)
    #expect(head.fields.count == 1)
  }
}
