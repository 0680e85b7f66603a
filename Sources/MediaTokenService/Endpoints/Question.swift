internal import MediaToken
internal import MediaTokenSystem

/// What a request says of requestor and resource, and the token where it is not the whole body. Keeps its memory.
struct Question {
  var requestor = GivenName()
  var resource = GivenResource()
  private(set) var token: [UInt8] = []
  private(set) var hasToken = false

  /// What may be said.
  enum Parameter: Hashable, Sendable {
    case requestor, token
    case resource(GivenResource.Kind)
  }

  /// Notes a value.
  ///
  /// - Returns: false if it is empty, or the second of its name.
  mutating func set(_ parameter: Parameter, _ value: Span<UInt8>) -> Bool {
    switch parameter {
    case .requestor: return requestor.set(value)
    case .resource(let kind): return resource.set(kind, value)
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
    guard hasToken else { return }
    token.removeAll(keepingCapacity: true)
    hasToken = false
  }
}

/// A resource that is asked about: the name that a client sent, with what it means, or one that is at hand from the
/// configuration or a line.
struct GivenResource {
  private(set) var name = GivenName()
  private(set) var kind = Kind.exact
  private var atHand: ExpectedResource?

  /// What a name means: the very text, a document that must be the same, or a channel.
  enum Kind: Hashable, Sendable { case exact, document, channel }

  /// None.
  init() {}

  /// This one.
  init(_ resource: ExpectedResource) { atHand = resource }

  var isGiven: Bool { name.isGiven || atHand != nil }

  /// - Returns: false if the value is empty, or the second.
  mutating func set(_ kind: Kind, _ value: Span<UInt8>) -> Bool {
    guard atHand == nil, name.set(value) else { return false }
    self.kind = kind
    return true
  }

  /// Forgets it and keeps the memory.
  mutating func remove() {
    name.remove()
    kind = .exact
    atHand = nil
  }

  /// What is expected of a token's resource.
  ///
  /// - Throws: what is wrong with the name.
  func expected() throws(RequestError) -> ExpectedResource {
    if let atHand { return atHand }
    guard let text = name.exactText else { throw .resourceNotText }
    do throws(ResourceDocumentError) {
      switch kind {
      case .exact: return .exactly(text)
      case .document: return try .sameDocument(as: text.text)
      case .channel: return try .channel(text.text)
      }
    } catch {
      throw .expectedResource(error)
    }
  }

  /// Makes sure of a resource that matches nothing here all the same: a document that is none is a mistake of the caller's, and
  /// not another resource.
  ///
  /// - Throws: what is wrong with a document or a channel's id.
  func check() throws(RequestError) {
    if kind != .exact { _ = try expected() }
  }

  /// Whether it is the very text of this name, told without making text of what a client sent.
  func isExactly(_ other: ExactText) -> Bool {
    if let atHand { return atHand == .exactly(other) }
    return kind == .exact && name.isSame(as: other)
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
