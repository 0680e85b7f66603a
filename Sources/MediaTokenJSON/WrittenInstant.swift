public import MediaToken

extension Instant {
  /// The instant that people and scripts write: any spelling that a token's `issueTime` may have, which includes
  /// ISO 8601 with an offset, or 1 to 15 digits of milliseconds since the epoch. Nil for anything else.
  public init?(written text: String) {
    let bytes = text.utf8Span.span
    if let instant = IssueTime.parse(bytes) {
      self = instant
      return
    }
    guard (1...15).contains(bytes.count) else { return nil }
    var milliseconds: Int64 = 0
    for index in bytes.indices {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      milliseconds = milliseconds * 10 + Int64(digit)
    }
    self.init(millisecondsSinceEpoch: milliseconds)
  }
}
