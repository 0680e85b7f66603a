internal import MediaToken
internal import MediaTokenSystem

/// The requestor and resource of a request, and the token where it is not the whole body. Keeps its memory.
struct Question: Redacted {
  var requestor = GivenName()
  var resource = GivenResource()
  private(set) var token: [UInt8] = []
  private(set) var hasToken = false

  enum Parameter: Hashable, Sendable {
    case requestor, token
    case resource(ResourceForm)

    /// In the order in which the members of a JSON object are noted.
    static let all: [Parameter] = [
      .token, .requestor, .resource(.exact), .resource(.document), .resource(.channel),
    ]
  }

  /// False if the value is empty, or the second of its name.
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

  /// The token of a decision, which may be empty.
  mutating func take(token text: Span<UInt8>) {
    token.append(copying: text)
    hasToken = true
  }

  /// The memory is kept.
  mutating func removeAll() {
    requestor.remove()
    resource.remove()
    guard hasToken else { return }
    token.removeAll(keepingCapacity: true)
    hasToken = false
  }
}

/// A resource that is asked about: the name that a client sent, with its meaning, or one that is at hand from the
/// configuration or a line.
struct GivenResource {
  private(set) var name = GivenName()
  private(set) var form = ResourceForm.exact
  private var atHand: ExpectedResource?

  init() {}

  init(_ resource: ExpectedResource) { atHand = resource }

  var isGiven: Bool { name.isGiven || atHand != nil }

  /// False if the value is empty, or the second.
  mutating func set(_ form: ResourceForm, _ value: Span<UInt8>) -> Bool {
    guard atHand == nil, name.set(value) else { return false }
    self.form = form
    return true
  }

  /// The memory is kept.
  mutating func remove() {
    name.remove()
    form = .exact
    atHand = nil
  }

  /// Throws the error of the name, or a fault.
  func expected() throws(RequestError) -> ExpectedResource {
    if let atHand { return atHand }
    guard let text = name.exactText else { throw .resourceNotText }
    return try rethrow(ExpectedResource(text, as: form), as: RequestError.expectedResource)
  }

  /// Checks a resource even if it matches nothing here: a text that should be a document and is not one is the caller's
  /// mistake, and not another resource.
  func check() throws(RequestError) {
    if form != .exact { _ = try expected() }
  }

  /// The place of its very text; nil if it is not among them, and for a document or a channel.
  func index(in listed: SortedNames) -> Int? {
    guard let atHand else { return form == .exact ? name.index(in: listed) : nil }
    return atHand.exactText.flatMap { listed.index(of: $0) }
  }
}

/// A name that is asked about: its bytes, of which no text is made before it is needed.
struct GivenName {
  private var bytes: [UInt8] = []
  private(set) var isGiven = false

  /// False if the value is empty, or the second.
  mutating func set(_ value: Span<UInt8>) -> Bool {
    guard !isGiven, value.count > 0 else { return false }
    bytes.append(copying: value)
    isGiven = true
    return true
  }

  /// The memory is kept.
  mutating func remove() {
    bytes.removeAll(keepingCapacity: true)
    isGiven = false
  }

  func index(in names: SortedNames) -> Int? { names.index(of: bytes.span) }

  /// Nil if it is not UTF-8, as every token's is.
  var exactText: ExactText? { String(validating: bytes, as: UTF8.self).map { ExactText($0) } }
}
