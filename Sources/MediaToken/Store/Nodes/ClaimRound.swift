struct OpenClaim {
  let claim: UseClaim
  /// The caller's name of it.
  let number: UInt64
  let caller: ClaimCaller
  let origin: BallotOrigin
  /// The time when its caller sent it, and the end of its wait, both in ``MonotonicTime``; 0: it was not sent yet.
  var since: UInt64 = 0
  var deadline: UInt64 = 0
  var tally: Tally
  var isAnswered = false

  /// The origin of a claim's ballot.
  enum BallotOrigin {
    /// Random, made for this claim.
    case chance
    /// Random, made for an earlier claim of the token, which ended with a fault.
    case kept
    case request
  }
}

/// A batch that was sent, until all seats that were asked have answered or its deadline has passed.
struct ClaimRound {
  /// The last one of its claims', in ``MonotonicTime``.
  let deadline: UInt64
  var asked: SeatSet
  var answered = SeatSet()
  /// In the order of the batch; none when the round is over.
  var claims: [OpenClaim]
  var isOver = false

  var isDecided: Bool { claims.allSatisfy(\.isAnswered) }

  /// The earliest deadline of a claim that has no answer, or else the round's end.
  var nextDeadline: UInt64 { claims.reduce(deadline) { $1.isAnswered ? $0 : min($0, $1.deadline) } }

  /// The question to every seat, those that are answered already included: answers go by their place.
  var batch: ClaimBatch {
    var batch = ClaimBatch()
    for index in claims.indices {
      batch.add(
        ClaimBatch.Claim(
          claims[index].claim.identity, issueTime: claims[index].claim.issueTime, ballot: claims[index].tally.ballot
        ))
    }
    return batch
  }
}

/// The rounds of one thread that are under way. They have consecutive numbers.
struct ClaimRounds {
  private var rounds: [ClaimRound] = []
  private var first: UInt64 = 0

  /// Rounds that are over are among them.
  var indices: Range<Int> { rounds.indices }

  subscript(index: Int) -> ClaimRound {
    get { rounds[index] }
    _modify { yield &rounds[index] }
  }

  /// Returns the round's number.
  mutating func append(_ round: ClaimRound) -> UInt64 {
    rounds.append(round)
    return number(of: rounds.count - 1)
  }

  func number(of index: Int) -> UInt64 { first &+ UInt64(index) }

  /// The place of the round with this number, if it waits for the seat's reply; nil if it is over, or the seat has replied
  /// or was not asked.
  func indexAwaiting(_ seat: Int, in number: UInt64) -> Int? {
    guard number >= first, number &- first < UInt64(rounds.count) else { return nil }
    let index = Int(number &- first)
    if rounds[index].isOver || rounds[index].answered.contains(seat) { return nil }
    return rounds[index].asked.contains(seat) ? index : nil
  }

  /// The round is over.
  mutating func end(_ index: Int) -> [OpenClaim] {
    rounds[index].isOver = true
    let claims = rounds[index].claims
    rounds[index].claims = []
    return claims
  }

  /// Forgets rounds that are over. Indices change.
  mutating func trim() {
    let over = rounds.prefix { $0.isOver }.count
    guard over > 0 else { return }
    rounds.removeFirst(over)
    first &+= UInt64(over)
  }
}

/// The answers of each kind in a reply.
struct ReplyKinds {
  private var counts = InlineArray<7, Int>(repeating: 0)  // SeatReplyKind.allCases

  mutating func count(_ answer: SeatAnswer, to ballot: Ballot) {
    let kind: SeatReplyKind =
      switch answer {
      case .new: .new
      case .present(let stored): stored.id == ballot.id ? .ours : .other
      case .forgotten: .forgotten
      case .ahead: .ahead
      }
    counts[kind.index] += 1
  }

  func tell(_ record: SeatRecord) {
    for kind in SeatReplyKind.allCases { record.count(kind, counts[kind.index]) }
  }
}
