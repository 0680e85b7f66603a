internal import MediaTokenSystem

/// Attempts of which one is to succeed. Each begins when those before it have failed, or 250 ms after the one before it, so that a
/// server which says nothing does not use up the time (RFC 8305, "Happy Eyeballs", section 5).
struct StaggeredRace<Value: Sendable>: Sendable {
  /// The attempt of this number, from 0.
  typealias Attempt = @Sendable (Int) throws(NodeError) -> Value

  /// Called with a success that comes too late.
  let discard: @Sendable (Value) -> Void
  private let state = Monitor(State())

  private struct State: Sendable {
    var ended: [(number: Int, outcome: Result<Value, NodeError>)] = []
    var isOver = false
  }

  /// In nanoseconds.
  private static var pause: UInt64 { 250_000_000 }

  init(discarding discard: @escaping @Sendable (Value) -> Void) { self.discard = discard }

  /// The first success, and its attempt's number. It waits for no longer than the attempts do. An error that no other
  /// attempt could mend is thrown at once; else the last error but that of a standby; without one, that all are standbys.
  func run(_ count: Int, _ attempt: @escaping Attempt) throws(NodeError) -> (number: Int, value: Value) {
    if count == 1 { return (0, try attempt(0)) }
    defer { end() }
    var (begun, ended, next, last) = (0, 0, UInt64(0), NodeError?.none)
    while ended < count {
      let now = MonotonicTime.now
      if begun < count, ended == begun || now >= next {
        begin(begun, attempt)
        (begun, next) = (begun + 1, now + Self.pause)
        continue
      }
      // Attempts have deadlines of their own.
      let most = begun < count ? (next - now) / 1_000_000 + 1 : 1000
      state.wait(atMostMilliseconds: most) { !$0.ended.isEmpty }
      guard let (number, outcome) = state.change({ $0.ended.isEmpty ? nil : $0.ended.removeFirst() }) else {
        continue
      }
      ended += 1
      do throws(NodeError) {
        return (number, try outcome.get())
      } catch {
        if error.isFinal { throw error }
        if !error.isOfStandby { last = error }
      }
    }
    throw last ?? .refused(.standby)
  }

  private func begin(_ number: Int, _ attempt: @escaping Attempt) {
    WorkerThread.runDetached {
      let outcome: Result<Value, NodeError>
      do throws(NodeError) { outcome = .success(try attempt(number)) } catch { outcome = .failure(error) }
      let isWanted = state.change { state in
        if !state.isOver { state.ended.append((number, outcome)) }
        return !state.isOver
      }
      if !isWanted { drop(outcome) }
    }
  }

  private func end() {
    let left = state.change { state in
      state.isOver = true
      return state.ended
    }
    for (_, outcome) in left { drop(outcome) }
  }

  private func drop(_ outcome: Result<Value, NodeError>) {
    if case .success(let value) = outcome { discard(value) }
  }
}
