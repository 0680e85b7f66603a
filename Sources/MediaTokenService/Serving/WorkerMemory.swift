internal import MediaToken
internal import Synchronization

/// What one thread keeps from request to request, so that answering allocates nothing and shares nothing.
final class WorkerMemory {
  let counters: Counters
  var view: CurrentState.View
  var scratch = Scratch()
  private var requestIDs: RequestIDs

  init(_ metrics: Metrics, _ current: CurrentState, number: UInt64) {
    counters = metrics.newCounters()
    view = current.view()
    requestIDs = RequestIDs(number: number)
  }

  /// A name for a request that brought none.
  func nextRequestID() -> InlineArray<16, UInt8> { requestIDs.next() }

  /// Buffers that keep their memory.
  struct Scratch {
    var name: [UInt8] = []
    var value: [UInt8] = []
    var question = Question()
  }
}

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

/// Names of requests: 16 hexadecimal digits that do not repeat in a program's life, and hardly between two.
struct RequestIDs {
  private var counter: UInt64

  /// - Parameter number: the thread's, so that no two threads give the same names.
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
      let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * index)) & 15
      return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
  }
}
