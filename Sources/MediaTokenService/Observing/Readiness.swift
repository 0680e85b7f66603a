internal import MediaToken
internal import MediaTokenSystem
internal import Synchronization

/// The answer whether the next genuine token would be played, and why not: the one source of `/readyz`, the service
/// manager's status, the log, the metrics and the alerts.
///
/// It is found out again at each question, by looks at memory that take some microseconds; the questions for system
/// calls (is the replay memory in its place? does its disk answer?) are answered by its maintenance, twice a second,
/// and kept (`Keeper`): no question waits for a disk. So it is never wrong for a second, even if the main thread hangs;
/// for two where the disk does.
final class Readiness: Sendable {
  /// The time for which the next claims are expected to end with the fault of an earlier one, in nanoseconds: 5 s, so
  /// that a prober which asks every 5 s sees it.
  static let faultNanoseconds: UInt64 = 5_000_000_000

  private let keeper: Keeper
  private let isDraining = Atomic<Bool>(false)
  /// The latest fault: the microsecond on the clock that is never set, and in the low 8 bits its number. 0: none yet.
  private let latestFault = Atomic<UInt64>(0)

  init(_ keeper: Keeper) { self.keeper = keeper }

  func beginDraining() { isDraining.store(true, ordering: .sequentiallyConsistent) }

  /// A claim has ended with a fault: most likely so would the next.
  func note(_ fault: Fault, at time: UInt64 = MonotonicTime.now) {
    latestFault.store((time / 1000) << 8 | UInt64(fault.rawValue), ordering: .relaxed)
  }

  /// Nil if all is well. The reason that lasts longest comes first. `mayLook`: the calling thread may look at the
  /// memory; otherwise its last known condition is told.
  func problem(
    _ state: ServingState, at now: Instant, _ time: UInt64 = MonotonicTime.now, mayLook: Bool = false
  ) -> Condition? {
    if isDraining.load(ordering: .sequentiallyConsistent) { return .draining }
    if state.allowsNothing { return .nothingAllowed }
    if keeper.isStalled { return .diskStalled }
    let sight = keeper.sight
    if let problem = Condition(mayLook ? keeper.condition(at: now) : sight.condition) { return problem }
    if !sight.isMaintained { return .memoryUnavailable }
    return recentFault(time).map { Condition($0) }
  }

  /// The fact, with the words of nodes where they are the cause.
  func detail(of problem: Condition) -> String {
    guard problem == .nodesMissing, let troubles = keeper.nodeTroubles else { return problem.detail }
    return "\(problem.detail): \(troubles)"
  }

  /// For a new memory with the time from which it is ready.
  func cure(of problem: Condition, at now: Instant = .now) -> String {
    guard problem == .memoryNew, case .warming(let until) = keeper.sight.condition,
      let words = ReplayMemoryCondition.warming(until: until).words(at: now)
    else { return problem.cure }
    return words.cure
  }

  /// For a service manager, on one line.
  func sentence(_ problem: Condition?) -> String {
    problem.map { "not ready: \($0.rawValue): \(detail(of: $0)); \(cure(of: $0))" } ?? "answering requests"
  }

  func recentFault(_ time: UInt64) -> Fault? {
    let word = latestFault.load(ordering: .relaxed)
    guard let fault = Fault(rawValue: Fault.RawValue(word & 0xFF)) else { return nil }
    let age = Int64(bitPattern: (time / 1000) &- (word >> 8))
    return age < Int64(Self.faultNanoseconds / 1000) ? fault : nil
  }
}
