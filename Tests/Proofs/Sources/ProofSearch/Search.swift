// A search over any model: what it needs are `State` with a `fingerprint` and `facts`, an `Action`, a `Violation`, and `Rules` with
// `starts`, `forEachSuccessor(of:)` and `violation(in:)`. Compiled together with each model, so that all of it is optimised as one.

/// Depth first through every state, with one word of memory for each.
struct Exhaustion {
  let rules: Rules
  private(set) var states = 0
  private(set) var transitions = 0
  private(set) var deepest = 0

  init(_ rules: Rules) { self.rules = rules }

  private struct Frame {
    let slot: UInt64
    let end: Int
  }

  /// The first thing found wrong, or nil if there is nothing to find.
  mutating func run() -> Violation? {
    var seen = Fingerprints()
    // What follows the states on the way down, one after the other: each frame owns the last ones.
    var waiting: [State] = []
    var path: [Frame] = []
    for start in rules.starts {
      waiting.append(start)
      while true {
        while let frame = path.last, waiting.count == frame.end {
          seen.leave(frame.slot)
          path.removeLast()
        }
        guard let state = waiting.popLast() else { break }
        let fingerprint = state.fingerprint
        switch seen.enter(fingerprint) {
        case .onPath: return Violation.endless
        case .known: continue
        case .new: break
        }
        states += 1
        if let violation = rules.violation(in: state) { return violation }
        path.append(Frame(slot: fingerprint, end: waiting.count))
        deepest = max(deepest, path.count)
        var count = 0
        rules.forEachSuccessor(of: state) { _, next in
          waiting.append(next)
          count += 1
        }
        transitions += count
      }
    }
    return nil
  }
}

/// A set of fingerprints, which knows those on the way from the start to where the search is.
private struct Fingerprints {
  enum Entered { case new, known, onPath }

  private var slots = [UInt64](repeating: 0, count: 1 << 16)
  private var count = 0

  /// The lowest bit is the mark of the way.
  private func key(_ fingerprint: UInt64) -> UInt64 { max(2, fingerprint & ~1) }

  private func slot(of key: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: key >> 1) & (slots.count - 1)
    while slots[slot] != 0, slots[slot] & ~1 != key { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  mutating func enter(_ fingerprint: UInt64) -> Entered {
    let key = key(fingerprint)
    let slot = slot(of: key)
    if slots[slot] != 0 { return slots[slot] & 1 == 0 ? .known : .onPath }
    slots[slot] = key | 1
    count += 1
    if count * 2 > slots.count { grow() }
    return .new
  }

  mutating func leave(_ fingerprint: UInt64) { slots[slot(of: key(fingerprint))] &= ~1 }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for word in old where word != 0 { slots[slot(of: word & ~1)] = word }
  }
}

/// Breadth first, for the shortest way to what is wrong.
struct ShortestWay {
  let rules: Rules
  let mostStates: Int

  /// The way, or nil if nothing wrong is among the nearest states.
  func run(to wanted: Violation) -> Way? {
    var states = rules.starts
    var reachedFrom: [(parent: Int, action: Action)?] = states.map { _ in nil }
    var seen = Set(states.map(\.fingerprint))
    var (current, found) = (0, -1)
    while current < states.count, states.count < mostStates, found < 0 {
      rules.forEachSuccessor(of: states[current]) { action, next in
        guard found < 0, seen.insert(next.fingerprint).inserted else { return }
        states.append(next)
        reachedFrom.append((current, action))
        if rules.violation(in: next) == wanted { found = states.count - 1 }
      }
      current += 1
    }
    guard found >= 0 else { return nil }
    var actions: [Action] = []
    while let (parent, action) = reachedFrom[found] {
      actions.append(action)
      found = parent
    }
    return Way(rules: rules, start: states[found], actions: actions.reversed())
  }
}

/// What happens, from a start.
struct Way {
  let rules: Rules
  let start: State
  let actions: [Action]

  /// Prints a line for each step, with what it changes; a state's `facts` are the model's.
  func show() {
    say("at the start", start.facts)
    var state = start
    for action in actions {
      var next = state
      rules.forEachSuccessor(of: state) { if $0 == action { next = $1 } }
      let former = Set(state.facts)
      let news = next.facts.filter { !former.contains($0) }
      say("\(action)", news)
      state = next
    }
  }

  private func say(_ step: String, _ facts: [String]) {
    print("    \(step): \(facts.joined(separator: "; "))".replacing(/Proof[A-Z][a-z]+\./, with: ""))
  }
}
