internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The name of a request in its answer and in the log.
struct RequestName {
  /// The caller's own name for it, if the configuration names a header for that and the caller sent it.
  let given: String?
  private let generated: InlineArray<16, UInt8>

  /// In bytes.
  static let longest = 128

  /// `header` is in lower case.
  ///
  /// - Throws: ``RequestError/requestID`` for a name that is repeated, empty, too long, or not plain.
  init(_ request: borrowing Request, header: [UInt8]?, generatingBy ids: inout RequestIDs) throws(RequestError) {
    generated = ids.next()
    guard let header else {
      given = nil
      return
    }
    switch request.fields.find(header.span) {
    case .none: given = nil
    case .repeated: throw .requestID
    case .one(let place):
      let value = request.fields.value(place)
      guard let text = Self.text(value) else { throw .requestID }
      given = text
    }
  }

  var text: String {
    given ?? String(decoding: generated.indices.map { generated[$0] }, as: UTF8.self)
  }

  func write(to writer: inout JSONWriter) {
    if let given { return writer.member("requestID", given) }
    writer.member("requestID", plain: generated.span)
  }

  /// The text needs no escapes in a log line and in JSON, and cannot be a raw token.
  private static func text(_ value: Span<UInt8>) -> String? {
    guard (1...longest).contains(value.count) else { return nil }
    var text = ""
    text.reserveCapacity(value.count)
    for index in value.indices {
      let byte = value[index]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "@"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: return nil
      }
    }
    return text
  }
}

/// Names of requests: 16 hexadecimal digits that do not repeat in a program's life, and hardly between two.
struct RequestIDs {
  private var counter: UInt64

  /// `number`: the worker's, so that no two of them give the same names.
  init(number: UInt64) {
    counter = Self.start &+ number << 40
  }

  private static let start = UInt64.random(in: 0...UInt64.max)

  mutating func next() -> InlineArray<16, UInt8> {
    counter &+= 1
    // A bijection of 64 bits (Stafford's mix 13), so that names of neighbours do not look alike.
    var word = counter
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    word ^= word >> 31
    return InlineArray { index in
      Hexadecimal.digit(UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15)
    }
  }
}
