internal import MediaTokenSystem

/// The part of a worker that an account (`Peer.Account`) has: connections, memory, and turns. No caller takes another's.
///
/// - Connections: where there are too many, the caller who has most loses the one that was silent for longest.
/// - Memory: where requests and answers under way take too much, the caller who has most loses the one that began first.
/// - Turns: callers are served one after the other, each until its time is over, however many connections they ask on and whatever
///   their requests cost. So each has a poller of its own, which the worker's poller watches.
///
/// All clients over TCP are one account, of which two callers are made, so that health checks and scrapers have what they need next to a
/// client that asks much: the reserve has the connections that ask seldom (``Connection/countQuestion(at:)``), and so each that is new;
/// the other caller has those that asked more. Each of the two has half of the connections over TCP if it needs them, every second turn of
/// TCP, and memory of its own. In the reserve a connection that has asked nothing yet is closed before one that has. A client that opens one
/// connection after another is in the reserve, too, as it cannot be told apart from those for whom it is: there a new connection is
/// answered, and may be closed once it is silent.
final class Caller {
  let name: Name
  let slot: Int
  let poller: Poller
  fileprivate(set) var connections = 0
  /// Bytes of requests that are not whole, and of answers that are not read.
  fileprivate(set) var kept = 0
  /// Connections that its poller found ready, and the first of them that was not read before its turn was over.
  var found: [Poller.Event] = []
  var nextFound = 0
  /// Connections whose requests wait for their turn, by token, the first to wait first.
  var held: [UInt64] = []
  /// True if its next turn begins with one of those, as the last one was over before.
  var isHeldNext = false
  /// True if its last turn took longer than ``HTTPLimits/turnNanoseconds``.
  var tookLong = false
  fileprivate var isReady = false

  /// The account, and whether this is its reserve.
  struct Name: Hashable {
    let account: Peer.Account
    let isReserve: Bool

    var isTCP: Bool { account == .tcp }

    init(_ account: Peer.Account, isReserve: Bool) { (self.account, self.isReserve) = (account, isReserve) }

    /// The caller that a new connection belongs to.
    init(of peer: Peer) { self.init(peer.account, isReserve: peer.isTCP) }
  }

  init(_ name: Name, slot: Int) throws(SystemError) {
    (self.name, self.slot) = (name, slot)
    poller = try Poller(isWoken: false)
  }
}

struct Callers {
  private var slots: [Caller?] = []
  private var byName: [Caller.Name: Caller] = [:]
  /// Those that wait to be served, the first to wait first, and those that were served and have more: they come after the callers
  /// who are found ready next.
  private var (ready, served): ([Caller], [Caller]) = ([], [])
  /// The connections at the UNIX sockets, and over TCP.
  private var (local, overTCP) = (0, 0)
  /// The bytes that all callers keep.
  private var kept = 0

  /// The caller of this name; a new one's poller is watched by `worker`.
  mutating func find(_ name: Caller.Name, _ worker: Poller) throws(SystemError) -> Caller {
    if let known = byName[name] { return known }
    if byName.count > HTTPLimits.callers { forgetEmpty() }
    let slot = slots.firstIndex { $0 == nil } ?? slots.count
    let caller = try Caller(name, slot: slot)
    try worker.add(caller.poller.descriptor, .reading, as: UInt64(slot))
    if slot == slots.count { slots.append(caller) } else { slots[slot] = caller }
    byName[name] = caller
    return caller
  }

  /// Their pollers are closed, and so no longer watched.
  private mutating func forgetEmpty() {
    for case let caller? in slots where caller.connections == 0 && !caller.isReady {
      slots[caller.slot] = nil
      byName[caller.name] = nil
    }
  }

  // MARK: turns

  var isAnyReady: Bool { !ready.isEmpty || !served.isEmpty }

  /// The caller's token is one that the worker's poller has found ready.
  mutating func makeReady(_ token: UInt64) {
    guard token < UInt64(slots.count), let caller = slots[Int(token)] else { return }
    makeReady(caller)
  }

  /// The caller comes after those that wait already.
  mutating func makeReady(_ caller: Caller) {
    guard !caller.isReady else { return }
    caller.isReady = true
    ready.append(caller)
  }

  /// The caller comes after those that are found ready next.
  mutating func makeReadyAgain(_ caller: Caller) {
    guard !caller.isReady else { return }
    caller.isReady = true
    served.append(caller)
  }

  /// The caller who has waited longest, and waits no more.
  mutating func takeReady() -> Caller? {
    if ready.isEmpty { swap(&ready, &served) }
    guard !ready.isEmpty else { return nil }
    let caller = ready.removeFirst()
    caller.isReady = false
    return caller
  }

  // MARK: shares

  mutating func opened(_ caller: Caller) { count(1, caller) }

  mutating func closed(_ connection: Connection) {
    countKept(of: connection)
    count(-1, connection.caller)
  }

  private mutating func count(_ number: Int, _ caller: Caller) {
    caller.connections += number
    if caller.name.isTCP { overTCP += number } else { local += number }
  }

  mutating func move(_ connection: Connection, to caller: Caller) {
    for (each, number) in [(connection.caller, -1), (caller, 1)] {
      count(number, each)
      each.kept += number * connection.kept
    }
    connection.caller = caller
  }

  mutating func countKept(of connection: Connection) {
    let more = connection.memory - connection.kept
    guard more != 0 else { return }
    connection.kept += more
    connection.caller.kept += more
    kept += more
  }

  func connections(isTCP: Bool) -> Int { isTCP ? overTCP : local }

  /// The connections of the caller who has most.
  func mostConnections(isTCP: Bool) -> Int {
    byName.values.reduce(0) { $1.name.isTCP == isTCP ? max($0, $1.connections) : $0 }
  }

  /// The caller whose requests and answers take most, if all of them take too much.
  var tooMuchKeeper: Caller? {
    kept > HTTPLimits.keptRoom ? byName.values.max { $0.kept < $1.kept } : nil
  }
}
