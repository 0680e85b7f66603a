internal import MediaTokenJSON

/// What a request is called in its answer and in the log.
struct RequestName {
  /// The caller's own name for it, if the configuration names a header for that and the caller sent it.
  let given: String?
  private let generated: InlineArray<16, UInt8>

  /// The longest that a caller may choose, in bytes.
  static let longest = 128

  /// - Throws: ``RequestError/requestID`` for a name that is repeated, empty, too long, or not plain.
  init(_ request: borrowing HTTPRequest, _ worker: WorkerMemory) throws(RequestError) {
    generated = worker.nextRequestID()
    guard let header = worker.view.state.requestIDHeader else {
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

  /// The name as text.
  var text: String {
    given ?? String(decoding: generated.indices.map { generated[$0] }, as: UTF8.self)
  }

  /// Writes the member `requestID`.
  func write(to writer: inout JSONWriter) {
    if let given { return writer.member("requestID", given) }
    writer.name("requestID")
    writer.plainString(generated.span)
  }

  /// What can stand in a log line and in JSON as it is, and cannot be a raw token.
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
