internal import MediaTokenSystem

/// An operator's work on a fleet: to look at its seats, and to found it. Each call asks all seats at once and waits for
/// them, until its timeout ends.
package struct FleetAdministration: Sendable {
  package let address: FleetAddress
  /// The digest of what all hosts of the fleet have in common, in 16 hexadecimal digits.
  package let digest: String
  private let engine: any SeatAdministration

  /// The longest wait for seats.
  package var timeoutMilliseconds = 5000

  /// An error if the credentials can't be read, or OpenSSL fails.
  package init(_ options: FleetOptions) throws(Problem) {
    let digest = try options.digest()
    self.init(
      options.address, digest, try options.makeEngine(FleetClock(), Monitor(try options.readCredentials())))
  }

  init(_ address: FleetAddress, _ digest: FleetDigest, _ engine: any SeatAdministration) {
    (self.address, self.digest, self.engine) = (address, digest.description, engine)
  }

  package func describe() -> [SeatDescription] {
    descriptions { (engine, seat, timeout) throws(SeatError) in try engine.describe(seat, within: timeout) }
  }

  /// Gives every seat an epoch that has none, and describes all seats then. `isFresh`: the operator vouches that no token
  /// was ever used. Then nothing is made if a seat does not answer or has an epoch, of whatever time, and the reason of
  /// that seat says so.
  package func found(fresh isFresh: Bool) -> [SeatDescription] {
    var found = describe()
    // One process for two seats, or another fleet's seat: founding would make it worse.
    guard !found.contains(where: { $0.state == .refused && !$0.isOnlyOff }) else { return found }
    if isFresh, found.contains(where: { $0.hasEpoch || $0.state == .down }) {
      for index in found.indices where found[index].hasEpoch {
        found[index].reason = SeatDescription.hasEpochReason
      }
      return found
    }
    let owners = found.map { isFresh ? $0.owner ?? "unknown" : nil }
    return descriptions { (engine, seat, timeout) throws(SeatError) in
      try engine.found(seat, freshOwner: owners[seat.number - 1], within: timeout)
    }
  }

  /// The seats' knowledge of a token, without a claim.
  package func peek(at identity: TokenIdentity, issueTime: Instant) -> [SeatPeek] {
    // The ballot is not sent.
    let claim = ClaimBatch.Claim(identity, issueTime: issueTime, ballot: Ballot(Ballot.ID(0, 0), second: 0))
    return ask { (engine, seat, timeout) throws(SeatError) in
      let answer = try engine.peek(at: claim, on: seat, within: timeout)
      let reason = answer == nil ? "it has no epoch yet" : nil
      return SeatPeek(number: seat.number, address: seat.address, answer: answer, reason: reason)
    } failing: { seat, error in
      SeatPeek(number: seat.number, address: seat.address, answer: nil, reason: error.description)
    }
  }

  private typealias Question<Answer> =
    @Sendable (any SeatAdministration, SeatPlace, Timeout) throws(SeatError) -> Answer

  /// Asks all seats at once, each on a thread of its own. `failure` is the answer for a seat of which nothing is learnt.
  private func ask<Answer: Sendable>(
    _ question: @escaping Question<Answer>, failing failure: @escaping @Sendable (SeatPlace, SeatError) -> Answer
  ) -> [Answer] {
    let timeout = Timeout(milliseconds: timeoutMilliseconds)
    let places = address.seats.enumerated().map { SeatPlace(number: $0.offset + 1, address: $0.element) }
    let answers = Monitor<[Int: Answer]>([:])
    let threads = places.map { place in
      let body: @Sendable () -> Void = {
        let answer: Answer
        do throws(SeatError) {
          answer = try question(engine, place, timeout)
        } catch {
          answer = failure(place, error)
        }
        answers.change { $0[place.number] = answer }
      }
      let thread = try? WorkerThread(body)
      // Without a thread to spare the seats are asked one after another.
      if thread == nil { body() }
      return thread
    }
    for thread in threads { thread?.join() }
    let all = answers.current
    return places.compactMap { all[$0.number] }
  }

  /// Two seats that are one process are refused, as on a host.
  private func descriptions(_ question: @escaping Question<SeatDescription>) -> [SeatDescription] {
    var seats = ask(question, failing: SeatDescription.init)
    for index in seats.indices {
      guard let process = seats[index].process,
        let twin = seats[..<index].first(where: { $0.process == process })
      else { continue }
      (seats[index].state, seats[index].isOnlyOff) = (.refused, false)
      seats[index].reason = SeatRefusal.sameProcess(asSeat: twin.number).description
    }
    return seats
  }
}
