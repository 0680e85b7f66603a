internal import MediaToken
internal import MediaTokenSystem

/// What a request says about requestor and resource, and the token where it is not the whole body. Keeps its memory.
struct Question: Redacted {
  var requestor = GivenName()
  var resource = GivenResource()
  private(set) var token: [UInt8] = []
  private(set) var hasToken = false

  /// What may be said.
  enum Parameter: Hashable, Sendable {
    case requestor, token
    case resource(ResourceForm)

    /// In the order in which what a JSON object says is noted.
    static let all: [Parameter] = [
      .token, .requestor, .resource(.exact), .resource(.document), .resource(.channel),
    ]
  }

  /// Notes a value.
  ///
  /// - Returns: false if it is empty, or the second of its name.
  mutating func set(_ parameter: Parameter, _ value: Span<UInt8>) -> Bool {
    switch parameter {
    case .requestor: return requestor.set(value)
    case .resource(let form): return resource.set(form, value)
    case .token:
      guard !hasToken, value.count > 0 else { return false }
      token.append(copying: value)
      hasToken = true
      return true
    }
  }

  /// Notes the token that a decision holds, which may be empty.
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
  private(set) var form = ResourceForm.exact
  private var atHand: ExpectedResource?

  /// None.
  init() {}

  /// This one.
  init(_ resource: ExpectedResource) { atHand = resource }

  var isGiven: Bool { name.isGiven || atHand != nil }

  /// - Returns: false if the value is empty, or the second.
  mutating func set(_ form: ResourceForm, _ value: Span<UInt8>) -> Bool {
    guard atHand == nil, name.set(value) else { return false }
    self.form = form
    return true
  }

  /// Forgets it and keeps the memory.
  mutating func remove() {
    name.remove()
    form = .exact
    atHand = nil
  }

  /// What is expected of a token's resource.
  ///
  /// - Throws: what is wrong with the name, or a fault.
  func expected() throws(RequestError) -> ExpectedResource {
    if let atHand { return atHand }
    guard let text = name.exactText else { throw .resourceNotText }
    return try rethrow(ExpectedResource(text, as: form), as: RequestError.expectedResource)
  }

  /// Checks a resource even if it matches nothing here: what should be a document and is not one is the caller's mistake, and
  /// not another resource.
  ///
  /// - Throws: what is wrong with a document or a channel's id.
  func check() throws(RequestError) {
    if form != .exact { _ = try expected() }
  }

  /// Where its very text is among these; nil if it is not, and for a document or a channel.
  func index(in listed: SortedNames) -> Int? {
    guard let atHand else { return form == .exact ? name.index(in: listed) : nil }
    return atHand.exactText.flatMap { listed.index(of: $0) }
  }
}

/// A name that is asked about: its bytes, of which no text is made before it is needed.
struct GivenName {
  private var bytes: [UInt8] = []
  private(set) var isGiven = false

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
    isGiven = false
  }

  /// Where it is among these.
  func index(in names: SortedNames) -> Int? { names.index(of: bytes.span) }

  /// The name as text; nil if it is not UTF-8, as every token's is.
  var exactText: ExactText? { String(validating: bytes, as: UTF8.self).map { ExactText($0) } }
}
