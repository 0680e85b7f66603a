/// Finds the first of a worker's connections to reach its deadline.
///
/// Each kind of waiting has one limit, so in a queue of those that wait in one way the first to begin is the first to end:
/// beginning, ending and looking take the same few steps however many there are.
struct Deadlines {
  /// The thing that a connection waits for, or is waited for with.
  enum Deadline: Int, CaseIterable {
    /// The next request, or the first one.
    case silence
    /// A request that began and is not answered yet, from its first byte until its answer is written.
    case request
    /// The client's end, after the last answer.
    case end
  }

  private struct Place {
    var kind: Deadline?
    var since: UInt64 = 0
    var previous: Int32 = -1
    var next: Int32 = -1
  }

  private var places: [Place] = []
  private var first = InlineArray<3, Int32>(repeating: -1)
  private var last = InlineArray<3, Int32>(repeating: -1)
  private let limits: InlineArray<3, UInt64>

  /// Limits in nanoseconds.
  init(silence: UInt64, request: UInt64, end: UInt64) { limits = [silence, request, end] }

  /// Nil if the connection at this place is not timed.
  func kind(_ slot: Int) -> Deadline? { places[slot].kind }

  /// The time that it has waited by now, in nanoseconds.
  func age(_ slot: Int, at now: UInt64) -> UInt64 { now &- min(places[slot].since, now) }

  /// Begins to wait, in place of what was waited for before.
  mutating func begin(_ kind: Deadline, _ slot: Int, at now: UInt64) {
    if slot >= places.count {
      places.append(contentsOf: repeatElement(Place(), count: slot + 1 - places.count))
    } else {
      stop(slot)
    }
    let before = last[kind.rawValue]
    places[slot] = Place(kind: kind, since: now, previous: before, next: -1)
    last[kind.rawValue] = Int32(slot)
    if before >= 0 { places[Int(before)].next = Int32(slot) } else { first[kind.rawValue] = Int32(slot) }
  }

  mutating func stop(_ slot: Int) {
    guard slot < places.count else { return }
    let place = places[slot]
    guard let kind = place.kind else { return }
    if place.previous >= 0 {
      places[Int(place.previous)].next = place.next
    } else {
      first[kind.rawValue] = place.next
    }
    if place.next >= 0 {
      places[Int(place.next)].previous = place.previous
    } else {
      last[kind.rawValue] = place.previous
    }
    places[slot].kind = nil
  }

  /// The end of the next one, in ``MonotonicTime``; nil if none is timed.
  var next: UInt64? {
    var earliest: UInt64?
    for kind in Deadline.allCases where first[kind.rawValue] >= 0 {
      let end = places[Int(first[kind.rawValue])].since &+ limits[kind.rawValue]
      earliest = min(end, earliest ?? end)
    }
    return earliest
  }

  /// Of those that wait in this way, the first to begin of which `isMeant` is true.
  func first(_ kind: Deadline, where isMeant: (Int) -> Bool) -> Int? {
    var slot = Int(first[kind.rawValue])
    while slot >= 0 {
      if isMeant(slot) { return slot }
      slot = Int(places[slot].next)
    }
    return nil
  }

  func overdue(at now: UInt64) -> (slot: Int, kind: Deadline)? {
    for kind in Deadline.allCases {
      let slot = Int(first[kind.rawValue])
      if slot >= 0, age(slot, at: now) > limits[kind.rawValue] { return (slot, kind) }
    }
    return nil
  }
}
