/// What a request says of requestor and resource, and the token where it is not the whole body. Keeps its memory.
struct Question {
  private(set) var requestor: [UInt8] = []
  private(set) var hasRequestor = false
  private(set) var resource: [UInt8] = []
  private(set) var hasResource = false
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
    case .requestor: Self.set(&requestor, &hasRequestor, value)
    case .resource: Self.set(&resource, &hasResource, value)
    case .token: Self.set(&token, &hasToken, value)
    }
  }

  /// Forgets everything and keeps the memory.
  mutating func removeAll() {
    (hasRequestor, hasResource, hasToken) = (false, false, false)
    requestor.removeAll(keepingCapacity: true)
    resource.removeAll(keepingCapacity: true)
    token.removeAll(keepingCapacity: true)
  }

  private static func set(_ text: inout [UInt8], _ isSet: inout Bool, _ value: Span<UInt8>) -> Bool {
    guard !isSet, value.count > 0 else { return false }
    text.append(copying: value)
    isSet = true
    return true
  }
}
