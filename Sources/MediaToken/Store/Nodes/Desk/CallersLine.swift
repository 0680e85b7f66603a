/// The caller of a claim, where several share a store: they take turns.
package enum ClaimCaller: Sendable, Hashable {
  /// The only one.
  case one
  /// Peers of a socket.
  case user(UInt32)
  case otherUsers
  case tcp
  /// All tasks of the process together.
  case tasks
  /// A thread that waits, by what it waits at.
  case waiting(ObjectIdentifier)
}

/// The line of those that wait to be sent. Callers take turns, however much of it is theirs: a caller with one place in it
/// waits for one of each other caller.
struct CallersLine<Element> {
  /// In the order of turns. None is empty but a single one, whose room is used again.
  private var callers: [(caller: ClaimCaller, waiting: [Element])] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

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

  /// Appends as many as there may be, one of each caller in turn. The next to have a turn is then the caller who waits
  /// longest for one.
  mutating func take(_ most: Int, into elements: inout [Element]) {
    var left = min(most, count)
    count -= left
    if callers.count == 1, left == callers[0].waiting.count, elements.isEmpty {
      return swap(&elements, &callers[0].waiting)
    }
    // The number that is taken of each caller: rounds in which each has a turn.
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
    // The caller of the last turn comes last.
    callers = (callers[(last + 1)...] + callers[...last]).filter { !$0.waiting.isEmpty }
  }

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
}
