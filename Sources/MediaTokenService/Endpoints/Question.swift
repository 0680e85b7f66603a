internal import MediaToken
internal import MediaTokenSystem

/// What a request says of requestor and resource, and the token where it is not the whole body. Keeps its memory.
struct Question {
  var requestor = GivenName()
  var resource = GivenName()
  private(set) var token: [UInt8] = []
  private(set) var hasToken = false

  /// What may be said.
  enum Parameter: Hashable, Sendable {
    case requestor, resource, token
  }

  /// Notes a value.
  ///
  /// - Returns: false if it is empty, or the second of its name.
  mutating func set(_ parameter: Parameter, _ value: Span<UInt8>) -> Bool {
    switch parameter {
    case .requestor: return requestor.set(value)
    case .resource: return resource.set(value)
    case .token:
      guard !hasToken, value.count > 0 else { return false }
      token.append(copying: value)
      hasToken = true
      return true
    }
  }

  /// Notes the token that a decision holds, which may be empty, as nothing else tells of it.
  mutating func take(token text: Span<UInt8>) {
    token.append(copying: text)
    hasToken = true
  }

  /// Forgets everything and keeps the memory.
  mutating func removeAll() {
    requestor.remove()
    resource.remove()
    token.removeAll(keepingCapacity: true)
    hasToken = false
  }
}

/// A name that is asked about: the bytes that a client sent, of which no text is made before it is needed, or text that is at
/// hand from the configuration or a line.
struct GivenName {
  private var bytes: [UInt8] = []
  private var text: ExactText?
  private(set) var isGiven = false

  /// None.
  init() {}

  /// This one, unless it is empty.
  init(_ text: ExactText) {
    self.text = text
    isGiven = !text.isEmpty
  }

  /// - Returns: false if the value is empty, or the second.
  mutating func set(_ value: Span<UInt8>) -> Bool {
    guard !isGiven, value.count > 0 else { return false }
    bytes.append(copying: value)
    isGiven = true
    return true
  }

  /// Forgets it and keeps the memory.
  mutating func remove() {
    bytes.removeAll(keepingCapacity: true)
    text = nil
    isGiven = false
  }

  func isSame(as name: ExactText) -> Bool {
    if let text { return text == name }
    return name.hasBytes(bytes.span)
  }

  /// The name as text; nil if it is not UTF-8, as every token's is.
  var exactText: ExactText? { text ?? String(validating: bytes, as: UTF8.self).map { ExactText($0) } }
}
