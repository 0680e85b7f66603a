import BenchmarkTokens
import Glibc
import MediaToken

/// What is timed: the seven steps, of which the third has two parts.
enum Part: String, CaseIterable {
  case armor, envelope, identity, signature, fields, lifetime, binding, use

  init(_ step: PathStep) {
    switch step {
    case .armor: self = .armor
    case .envelope: self = .envelope
    case .signature: self = .signature
    case .fields: self = .fields
    case .lifetime: self = .lifetime
    case .binding: self = .binding
    case .oneUse: self = .use
    }
  }
}

/// Notes how long one part takes in each verification.
struct PartTimes: PathObserver {
  private let part: Part
  private let clockTime: Int64
  /// When the part before ended.
  private var start: Int64 = 0
  private var times: [Int64] = []

  init(of part: Part) {
    self.part = part
    // What two readings of the clock are apart that have nothing between them.
    clockTime = (0..<1000).map { _ in -(nanoseconds(CLOCK_MONOTONIC) - nanoseconds(CLOCK_MONOTONIC)) }.min() ?? 0
  }

  /// A verification begins.
  mutating func begin() { start = nanoseconds(CLOCK_MONOTONIC) }

  mutating func named(_ identity: TokenIdentity) { ended(.identity) }

  mutating func passed(_ step: PathStep) { ended(Part(step)) }

  private mutating func ended(_ part: Part) {
    let now = nanoseconds(CLOCK_MONOTONIC)
    if part == self.part { times.append(max(0, now - start - clockTime)) }
    // The next part begins here, without the noting of this one.
    start = nanoseconds(CLOCK_MONOTONIC)
  }

  /// The median since the last call: one that was interrupted by other work counts for no more than any other.
  mutating func takeTypical() -> Int64 {
    guard !times.isEmpty else { fail("expected that the verifier tells of \(part)") }
    times.sort()
    defer { times.removeAll(keepingCapacity: true) }
    return times[times.count / 2]
  }
}
