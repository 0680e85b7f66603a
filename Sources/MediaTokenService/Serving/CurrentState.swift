internal import Synchronization

/// The state that requests are answered from, and its exchange.
///
/// A worker asks at every request and takes no lock: it keeps the state that it saw last, and looks only at a number that
/// says whether there is another one. A request that begins after ``exchange(for:)`` returned is answered from the new
/// state: the number is stored after the state, and loaded before it, both sequentially consistent.
final class CurrentState: Sendable {
  private let generation = Atomic<UInt64>(1)
  private let state: Mutex<ServingState>

  init(_ state: ServingState) { self.state = Mutex(state) }

  /// The state, for somebody who asks seldom.
  var latest: ServingState { state.withLock { $0 } }

  /// Exchanges the state.
  func exchange(for new: ServingState) {
    state.withLock { state in
      state = new
      generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
  }

  /// Brings a worker's own reference up to date.
  @inline(__always)
  func refresh(_ view: inout View) {
    guard view.generation != generation.load(ordering: .sequentiallyConsistent) else { return }
    view = self.view()
  }

  /// A state with the number that it has.
  struct View {
    fileprivate(set) var generation: UInt64
    fileprivate(set) var state: ServingState
  }

  /// What there is now.
  func view() -> View {
    state.withLock { View(generation: generation.load(ordering: .sequentiallyConsistent), state: $0) }
  }
}
