internal import MediaTokenSystem

/// A replay memory as operators write it: `shared:PATH`, `shared:PATH?capacity=N`, `redis:FLEET@NODE,NODE,…`,
/// `postgres:FLEET@HOST,…/DATABASE` or `none:`.
///
/// Nothing in it is escaped: a table's path is everything up to the first `?`, byte for byte.
package enum ReplayAddress: Sendable, Hashable {
  /// One use is **not** enforced.
  case none
  /// A table that processes share. Without capacity it must exist; with one it is created if it is missing, and must
  /// have at least that capacity if it is not.
  case shared(path: ExactText, capacity: Int?)
  /// Nodes that hosts share.
  case fleet(FleetAddress)

  /// A text that has none of the forms is an error.
  package init(_ text: String) throws(Problem) {
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .scheme(found: nil) }
    let rest = bytes[(colon + 1)...]
    switch String(decoding: bytes[..<colon], as: UTF8.self) {
    case "none":
      guard rest.isEmpty else { throw Problem("there is text after none:") }
      self = .none
    case "shared": self = try Self.shared(rest)
    case let scheme:
      let rest = String(decoding: rest, as: UTF8.self)
      guard let fleet = try FleetAddress(scheme: scheme, rest) else {
        throw .scheme(found: scheme)
      }
      self = .fleet(fleet)
    }
  }

  private static func shared(_ bytes: ArraySlice<UInt8>) throws(Problem) -> ReplayAddress {
    let question = bytes.firstIndex(of: UInt8(ascii: "?"))
    let path = bytes[..<(question ?? bytes.endIndex)]
    guard !path.isEmpty, !path.contains(0) else { throw .emptyPath }
    var capacity: Int?
    if let question {
      for parameter in bytes[(question + 1)...].split(
        separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      {
        let equals = parameter.firstIndex(of: UInt8(ascii: "=")) ?? parameter.endIndex
        let name = String(decoding: parameter[..<equals], as: UTF8.self)
        guard name == "capacity" else {
          throw Problem("expected capacity in shared:PATH?capacity=N, found \(Problem.shown(name))")
        }
        guard capacity == nil else { throw Problem("\(name) is given twice") }
        let value = String(decoding: parameter[equals...].dropFirst(), as: UTF8.self)
        guard let number = Self.number(value) else {
          throw Problem(
            "expected 1 to \(SharedReplayTable.largestCapacity) in capacity=N, found \(Problem.shown(value))")
        }
        capacity = number
      }
    }
    return .shared(path: ExactText(String(decoding: path, as: UTF8.self)), capacity: capacity)
  }

  /// Digits without sign, space or leading zero, in the range of capacities.
  private static func number(_ text: String) -> Int? {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), text.utf8.first != UInt8(ascii: "0"),
      let number = Int(text), number <= SharedReplayTable.largestCapacity
    else { return nil }
    return number
  }
}

extension Problem {
  static func scheme(found: String?) -> Problem {
    let expected =
      "expected shared:PATH, shared:PATH?capacity=N, redis:FLEET@NODE,..., postgres:FLEET@HOST/DATABASE or none:, found "
    guard let found else {
      return Problem("\(expected)no scheme", cure: "a table's path is written shared:PATH")
    }
    return Problem("\(expected)the scheme \(shown(found))")
  }

  /// A path that is missing, or one that no file can have.
  static let emptyPath = Problem("the path of the table is missing in shared:PATH")

  /// A short word is repeated; anything else may be a token or a password in the wrong place.
  static func shown(_ text: String) -> String {
    guard !text.isEmpty else { return "an empty text" }
    let isWord =
      text.utf8.count <= 20
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
    return isWord ? text : "another text"
  }
}
