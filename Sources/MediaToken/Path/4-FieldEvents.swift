internal import MediaTokenSystem

/// The second lock of step 4: the reports of a streaming XML parser, checked against a token's shape as they come.
///
/// Text is gathered in one buffer that is made once and reused, so a parse allocates nothing here. The first breach is
/// kept, and what comes after it is ignored.
struct FieldEvents: ~Copyable {
  /// Decoded text of all fields and the names of unknown ones, one after another.
  private var buffer: [UInt8]
  private var used = 0

  private var depth = 0
  private var currentField: TokenField?
  private var currentStart = 0

  // One for each of TokenField.allCases.
  private var knownFields = InlineArray<7, Range<Int>?>(repeating: nil)
  private var unknownNames = [Range<Int>](repeating: 0..<0, count: Limits.fields)

  /// The root's child elements so far, and those of them whose names we do not know.
  private(set) var (children, unknownFields) = (0, 0)

  private(set) var breach: Reason?

  /// Room for a token of the greatest length: no document has more text than bytes.
  init() {
    buffer = Array(repeating: 0, count: Limits.receivedBytes)
  }

  mutating func reset() {
    (used, depth, children, unknownFields, breach) = (0, 0, 0, 0, nil)
    knownFields = InlineArray(repeating: nil)
  }

  /// Decoded; empty if the document did not have the field.
  subscript(field: TokenField) -> Span<UInt8> { buffer.span.extracting(knownFields[field.index] ?? 0..<0) }

  /// The decoded text of a field that every token has. `INVALID_TOKEN_FORMAT` if the document did not have it, or if it is
  /// empty and may not be.
  subscript(required field: TokenField) -> Span<UInt8> {
    get throws(Refusal) {
      guard let text = knownFields[field.index] else { throw .because(.missingField, .field(field)) }
      guard !text.isEmpty || !field.mustHaveText else { throw .because(.emptyField, .field(field)) }
      return buffer.span.extracting(text)
    }
  }

  /// In the document's order.
  subscript(unknown index: Int) -> Span<UInt8> { buffer.span.extracting(unknownNames[index]) }

  // MARK: what the parser reports

  /// A start tag. `isPlain`: it has no attributes, no prefix and no namespace.
  mutating func startElement(_ name: Span<UInt8>, isPlain: Bool) {
    guard breach == nil else { return }
    guard isPlain else { return refuse(.brokenTag) }
    switch depth {
    case 0:
      if !(name.isExactly("authToken") || name.isExactly("shortAuthorizationToken")) { refuse(.unknownRoot) }
    case 1:
      startField(name)
    default:
      refuse(.nestedElement)
    }
    depth += 1
  }

  /// An end tag; the parser has checked that it is the right one.
  mutating func endElement() {
    guard breach == nil else { return }
    depth -= 1
    if depth == 1, let field = currentField { knownFields[field.index] = currentStart..<used }
  }

  mutating func characters(_ text: Span<UInt8>) {
    guard breach == nil else { return }
    if depth == 2 { return append(text) }
    for index in text.indices where !text[index].isFieldWhiteSpace { return refuse(.textOutsideFields) }
  }

  mutating func cdata(_ text: Span<UInt8>) {
    guard breach == nil else { return }
    guard depth == 2, currentField == .resourceID else { return refuse(.misplacedCDATA) }
    append(text)
  }

  /// A rule was broken, or the parser reports what no token may have.
  mutating func refuse(_ reason: Reason) {
    if breach == nil { breach = reason }
  }

  // MARK: helpers

  private mutating func startField(_ name: Span<UInt8>) {
    children += 1
    guard children <= Limits.fields else { return refuse(.tooManyFields) }
    currentField = TokenField(named: name)
    if let field = currentField {
      guard knownFields[field.index] == nil else { return refuse(.repeatedField) }
    } else {
      guard isPlainName(name) else { return refuse(.brokenTag) }
      for index in 0..<unknownFields where buffer.span.extracting(unknownNames[index]).hasSameBytes(as: name) {
        return refuse(.repeatedField)
      }
      unknownNames[unknownFields] = used..<used + name.count
      unknownFields += 1
      append(name)
    }
    currentStart = used
  }

  private mutating func append(_ text: Span<UInt8>) {
    guard text.count <= buffer.count - used else { return refuse(.tooLong) }
    let start = used
    used += text.count
    var output = buffer.mutableSpan
    output.copy(text, to: start)
  }

  /// A letter or `_`, then letters, digits, `_`, `.` and `-`; ASCII only.
  private func isPlainName(_ name: Span<UInt8>) -> Bool {
    guard let first = name.isEmpty ? nil : name[0], first.isNameStart else { return false }
    for index in name.indices where !name[index].isNameByte { return false }
    return true
  }
}

extension TokenField {
  /// The place in ``TokenField/allCases``.
  fileprivate var index: Int {
    switch self {
    case .sessionGUID: 0
    case .requestorID: 1
    case .resourceID: 2
    case .ttl: 3
    case .issueTime: 4
    case .mvpdID: 5
    case .proxyMVPDID: 6
    }
  }

  fileprivate init?(named name: Span<UInt8>) {
    if name.isExactly("sessionGUID") {
      self = .sessionGUID
    } else if name.isExactly("requestorID") {
      self = .requestorID
    } else if name.isExactly("resourceID") {
      self = .resourceID
    } else if name.isExactly("ttl") {
      self = .ttl
    } else if name.isExactly("issueTime") {
      self = .issueTime
    } else if name.isExactly("mvpdId") {
      self = .mvpdID
    } else if name.isExactly("proxyMvpdId") {
      self = .proxyMVPDID
    } else {
      return nil
    }
  }
}
