internal import MediaTokenSystem

/// Step 4: the verified bytes become fields.
///
/// Two locks, one after the other: ``FieldGate``, then libxml2 with ``FieldEvents``. Both must open, and both must
/// have seen the same number of fields (<doc:TokenFormat>, "Fields").
package typealias TokenFields = Fields<Verified>

/// Fields that anyone may have written, for tools that show a token without its verdict. It is a different type from
/// ``TokenFields``, so that no later step takes it.
package typealias UnverifiedFields = Fields<Unverified>

/// Marks ``Fields`` that a trusted key signed.
package enum Verified {}

/// Marks ``Fields`` that anyone may have written.
package enum Unverified {}

/// The fields of a token. `Trust` is ``Verified`` or ``Unverified``, and no step turns one into the other.
package struct Fields<Trust>: Sendable, Redacted {
  package let sessionGUID: String
  package let requestorID: ExactText
  package let resourceID: ExactText
  package let mvpdID: ExactText
  /// Nil if the token has none, or an empty one.
  package let proxyMVPDID: ExactText?
  /// The text of `ttl`, for step 5 to parse.
  package let ttl: ShortText
  /// The text of `issueTime`, for step 5 to parse.
  package let issueTime: ShortText
  /// Names of fields that the library does not know, in the token's order.
  package let unknownFields: [String]
}

extension Fields<Verified> {
  /// `INVALID_TOKEN_FORMAT`, or a fault if memory ran out.
  package init(
    parsing verified: borrowing VerifiedBytes, with parser: inout FieldParser, policy: Policy
  ) throws(Refusal) {
    try self.init(of: verified.bytes, with: &parser, policy.unknownFields, .both, chunk: .max)
  }
}

extension Fields<Unverified> {
  /// Anyone may have written these bytes.
  package init(
    parsing bytes: Span<UInt8>, with parser: inout FieldParser, locks: FieldLocks = .both, chunk: Int = .max
  ) throws(Refusal) {
    try self.init(of: bytes, with: &parser, .report, locks, chunk: chunk)
  }
}

extension Fields {
  @inline(__always)
  private init(
    of bytes: Span<UInt8>, with parser: inout FieldParser, _ policy: Policy.UnknownFields, _ locks: FieldLocks,
    chunk: Int
  ) throws(Refusal) {
    let children = locks == .secondOnly ? nil : try FieldGate.check(bytes)
    try parser.parse(bytes, chunk: chunk, isPlain: children != nil)
    self = try parser.withEvents { events throws(Refusal) in
      guard children == nil || children == events.children else { throw .because(.secondParserRefused) }
      return try Self(events, policy)
    }
  }

  private init(_ events: borrowing FieldEvents, _ policy: Policy.UnknownFields) throws(Refusal) {
    // Into locals first: a half-made value that may still throw is copied when it is done.
    let sessionGUID = try Self.string(try events[required: .sessionGUID])
    let requestorID = ExactText(try Self.string(try events[required: .requestorID]))
    let resourceID = ExactText(try Self.string(try events[required: .resourceID]))
    let ttl = ShortText(try events[required: .ttl])
    let issueTime = ShortText(try events[required: .issueTime])
    let mvpdID = ExactText(try Self.string(try events[required: .mvpdID]))
    let proxy = events[.proxyMVPDID]
    let proxyMVPDID = proxy.isEmpty ? nil : ExactText(try Self.string(proxy))
    guard events.unknownFields == 0 || policy == .report else { throw .because(.unknownField) }
    let unknownFields = events.unknownFields == 0 ? [] : try Self.unknownNames(events)

    self.sessionGUID = sessionGUID
    self.requestorID = requestorID
    self.resourceID = resourceID
    self.ttl = ttl
    self.issueTime = issueTime
    self.mvpdID = mvpdID
    self.proxyMVPDID = proxyMVPDID
    self.unknownFields = unknownFields
  }

  private static func string(_ text: Span<UInt8>) throws(Refusal) -> String {
    do {
      return String(copying: try UTF8Span(validating: text))
    } catch {
      // libxml2 gives UTF-8 only.
      throw .because(.secondParserRefused)
    }
  }

  private static func unknownNames(_ events: borrowing FieldEvents) throws(Refusal) -> [String] {
    var names: [String] = []
    for index in 0..<events.unknownFields { names.append(try string(events[unknown: index])) }
    return names
  }
}

/// `ttl` or `issueTime`, kept inline. Text that is too long to be well formed is kept as such.
package struct ShortText: Sendable {
  private let storage: InlineArray<32, UInt8>  // Limits.shortTextBytes
  private let count: Int

  init(_ text: Span<UInt8>) {
    count = text.count
    var copy = InlineArray<32, UInt8>(repeating: 0)
    var output = copy.mutableSpan
    if text.count <= output.count { output.copy(text, to: 0) }
    storage = copy
  }

  /// Nothing if the text is longer than any that is well formed.
  package var bytes: Span<UInt8> {
    storage.span.extracting(first: count <= Limits.shortTextBytes ? count : 0)
  }
}
