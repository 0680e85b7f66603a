internal import MediaTokenSystem

/// The claims of a caller that waits for all of them. Those that have joined others' need no connection.
struct WaitingClaims {
  private let claims: [UseClaim]
  private let fleet: Fleet
  private let inbox = ClaimInbox()
  /// In the claims' order.
  private(set) var answers: [Result<UseOutcome, Fault>]
  /// The end of their wait, in ``MonotonicTime``.
  let deadline: UInt64
  private let start: UInt64
  /// The indices of those that are to ask, and of those that have joined.
  private var asking: [Int] = []
  private var joined: Set<Int> = []

  /// A millisecond.
  private static let soon: UInt64 = 1_000_000

  init(_ claims: [UseClaim], _ fleet: Fleet) {
    (self.claims, self.fleet) = (claims, fleet)
    answers = Array(repeating: .failure(.replayMemoryUnavailable), count: claims.count)
    start = MonotonicTime.now
    deadline = start &+ fleet.deadline
    for (index, claim) in claims.enumerated() {
      do throws(Fault) {
        if let outcome = try fleet.outcomeWithoutSeats(of: claim) {
          answers[index] = .success(outcome)
        } else if fleet.begin(claim, telling: inbox, as: UInt64(index)) {
          asking.append(index)
        } else {
          joined.insert(index)
        }
      } catch {
        answers[index] = .failure(error)
      }
    }
  }

  var isAnyOpen: Bool { mayAsk || !joined.isEmpty }

  /// True if there are claims that the seats are to be asked for.
  var mayAsk: Bool { !asking.isEmpty }

  mutating func ask(_ connections: FleetClaims) {
    for index in asking {
      connections.ask(claims[index], number: UInt64(index), since: start, deadline: deadline)
    }
    var missing = asking.count
    asking = []
    connections.sendAndWait { number, answer in
      answers[Int(number)] = answer
      missing -= 1
      return missing == 0
    }
  }

  mutating func fail(_ fault: Fault) {
    for index in asking {
      answers[index] = .failure(fault)
      fleet.end(claims[index].identity, .failure(fault))
    }
    asking = []
  }

  /// Waits until claims that have joined are answered or are to ask, or for their deadline.
  mutating func waitForOthers() {
    if joined.isEmpty { return }
    inbox.wait(until: deadline)
    let isLate = MonotonicTime.now >= deadline
    if isLate {
      joined = joined.filter { !fleet.leave(claims[$0].identity, inbox, UInt64($0)) }
      // The answers to these are on their way.
      if !joined.isEmpty { inbox.wait(until: MonotonicTime.now &+ Self.soon) }
    }
    for news in inbox.take() {
      switch news {
      case .answered(let number, let outcome): answers[Int(number)] = .success(outcome)
      case .asks(let number): asking.append(Int(number))
      }
      joined.remove(Int(news.number))
    }
    if isLate { fail(.replayMemoryUnavailable) }
  }
}
