/// Whose claim it is, where several callers share a store: they take turns.
package struct ClaimCaller: Sendable, Hashable {
  /// What the caller is called by the door that it came through.
  package let number: UInt64

  /// The caller with this number.
  package init(_ number: UInt64) { self.number = number }

  /// Where there is only one.
  package static let one = ClaimCaller(0)
}

/// What waits to be sent. Callers take turns, however much of it is theirs: who has one place in it waits for one of each other
/// caller.
struct CallersLine<Element> {
  /// In the order of turns. None is empty but a single one, whose room is used again.
  private var callers: [(caller: ClaimCaller, waiting: [Element])] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// In no order.
  var all: [Element] { callers.flatMap(\.waiting) }

  mutating func append(_ element: Element, of caller: ClaimCaller) {
    count += 1
    if let index = callers.firstIndex(where: { $0.caller == caller }) {
      callers[index].waiting.append(element)
    } else if callers.count == 1, callers[0].waiting.isEmpty {
      callers[0].caller = caller
      callers[0].waiting.append(element)
    } else {
      callers.append((caller, [element]))
    }
  }

  /// Takes out as many as there may be, one of each caller in turn. The next to have a turn is then who waits longest for one.
  ///
  /// - Parameter elements: they are appended to it.
  mutating func take(_ most: Int, into elements: inout [Element]) {
    var left = min(most, count)
    count -= left
    if callers.count == 1, left == callers[0].waiting.count, elements.isEmpty {
      return swap(&elements, &callers[0].waiting)
    }
    // How many of each caller are taken: rounds in which each has a turn.
    var taken = [Int](repeating: 0, count: callers.count)
    var last = -1
    while left > 0 {
      for index in callers.indices where left > 0 && taken[index] < callers[index].waiting.count {
        elements.append(callers[index].waiting[taken[index]])
        taken[index] += 1
        left -= 1
        last = index
      }
    }
    for index in callers.indices { callers[index].waiting.removeFirst(taken[index]) }
    // Who had the last turn comes last.
    callers = (callers[(last + 1)...] + callers[...last]).filter { !$0.waiting.isEmpty }
  }

  /// Takes out those for which this holds.
  mutating func remove(where isMeant: (Element) -> Bool) -> [Element] {
    var removed: [Element] = []
    // As a rule nothing is meant, and nothing is copied.
    for index in callers.indices where callers[index].waiting.contains(where: isMeant) {
      removed += callers[index].waiting.filter(isMeant)
      callers[index].waiting.removeAll(where: isMeant)
    }
    callers.removeAll { $0.waiting.isEmpty }
    count -= removed.count
    return removed
  }

  /// The least of a number that each has; nil if it is empty.
  func least(_ number: (Element) -> UInt64) -> UInt64? {
    callers.lazy.flatMap(\.waiting).map(number).min()
  }
}
