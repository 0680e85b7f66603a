internal import MediaTokenSystem
internal import Synchronization

/// The state that requests are answered from, and its exchange.
///
/// A worker asks at every request and takes no lock: it keeps the state that it saw last, and looks only at a number that
/// says whether there is another one. A request that begins after ``exchange(for:)`` returned is answered from the new
/// state: the number is stored after the state, and loaded before it, both sequentially consistent.
final class CurrentState: Sendable {
  private let generation = Atomic<UInt64>(1)
  private let state: Monitor<ServingState>

  init(_ state: ServingState) { self.state = Monitor(state) }

  /// For a caller that asks seldom.
  var latest: ServingState { state.current }

  func exchange(for new: ServingState) {
    state.change { state in
      state = new
      generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
  }

  func hasChanged(since view: borrowing View) -> Bool {
    view.generation != generation.load(ordering: .sequentiallyConsistent)
  }

  /// A state with the number that it has.
  struct View {
    fileprivate(set) var generation: UInt64
    fileprivate(set) var state: ServingState
  }

  func view() -> View {
    state.change { View(generation: generation.load(ordering: .sequentiallyConsistent), state: $0) }
  }
}
