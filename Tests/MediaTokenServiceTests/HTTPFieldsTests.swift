import Testing

@testable import MediaTokenService

@Suite("Header fields")
struct HTTPFieldsTests {
  static func fields(_ pairs: (String, String)...) -> HTTPFields {
    var fields = HTTPFields()
    for (name, value) in pairs {
      fields.append(name: Array(name.utf8).span, value: Array(value.utf8).span)
    }
    return fields
  }

  static func text(_ fields: borrowing HTTPFields, _ name: String) -> String? {
    let name = Array(name.utf8)
    guard case .one(let place) = fields.find(name.span) else { return nil }
    let value = fields.value(place)
    return String(decoding: value.indices.map { value[$0] }, as: UTF8.self)
  }

  @Test func nameIsFoundInAnyCase() {
    let fields = Self.fields(("Host", "a"), ("X-Media-Token", "bc"), ("Empty", ""))
    #expect(fields.count == 3)
    #expect(Self.text(fields, "host") == "a")
    #expect(Self.text(fields, "x-MEDIA-token") == "bc")
    #expect(Self.text(fields, "EMPTY") == "")
  }

  @Test(arguments: ["Hos", "Hostt", "", "Ho\u{13}t", "hos\u{54}\u{0}"])
  func otherNameIsNotFound(name: String) {
    #expect(Self.fields(("Host", "a")).find(Array(name.utf8).span) == .none)
  }

  /// Setting one bit makes a small letter of a capital, and other names of `@`, `[`, `^` and `_`.
  @Test(arguments: [("X@", "x`"), ("X[", "x{"), ("X^", "x~"), ("X_", "x\u{7F}"), ("X-", "x\r")])
  func onlyLettersHaveTwoCases(one: String, other: String) {
    #expect(Self.fields((one, "a")).find(Array(other.utf8).span) == .none)
    #expect(Self.text(Self.fields((one, "a")), one) == "a")
  }

  @Test func repeatedFieldIsNeverChosenFrom() {
    let fields = Self.fields(("A", "1"), ("B", "2"), ("a", "1"))
    #expect(fields.find(Array("A".utf8).span) == .repeated)
    #expect(Self.text(fields, "b") == "2")
  }

  @Test func forgottenFieldsAreGone() {
    var fields = Self.fields(("A", "1"))
    fields.removeAll()
    #expect(fields.count == 0 && fields.find(Array("A".utf8).span) == .none)
    fields.append(name: Array("A".utf8).span, value: Array("2".utf8).span)
    #expect(Self.text(fields, "a") == "2")
  }
}
