internal import MediaTokenSystem

/// The answer to a batch: the database's clock, and an answer to each claim.
struct ClaimsAnswer {
  /// Seconds since the epoch.
  let time: Int64
  let answers: [SeatAnswer]

  /// - Parameters:
  ///   - letters: one for each claim.
  ///   - standing: an array of `uuid` in its binary form, the ballots that are there, in order; nil: no claim needs one.
  ///   - count: how many claims were asked.
  /// - Returns: nil if it is another answer.
  init?(time: Int64?, letters: [UInt8]?, standing: [UInt8]?, count: Int) {
    guard let time, FleetClock.seconds.contains(time), let letters, letters.count == count,
      var ballots = standing.map({ Self.ballots($0) }) ?? .some([])
    else { return nil }
    self.time = time
    ballots.reverse()
    var answers: [SeatAnswer] = []
    answers.reserveCapacity(count)
    for letter in letters {
      switch letter {
      case UInt8(ascii: "n"): answers.append(.new)
      case UInt8(ascii: "f"): answers.append(.forgotten)
      case UInt8(ascii: "a"): answers.append(.ahead)
      case UInt8(ascii: "p"):
        guard let ballot = ballots.popLast() else { return nil }
        answers.append(.present(ballot))
      default: return nil
      }
    }
    guard ballots.isEmpty else { return nil }
    self.answers = answers
  }

  /// - Returns: nil if it is another array, or one with nulls.
  private static func ballots(_ bytes: [UInt8]) -> [Ballot]? {
    func word(_ index: Int) -> Int { bytes[(index * 4)..<(index * 4 + 4)].reduce(0) { $0 << 8 | Int($1) } }
    // Of one dimension: no nulls, the type `uuid`, how many, the first index. Of none: empty.
    guard bytes.count >= 12, word(1) == 0, word(2) == 2950 else { return nil }
    if word(0) == 0 { return bytes.count == 12 ? [] : nil }
    guard word(0) == 1, bytes.count >= 20, bytes.count == 20 + 20 * word(3) else { return nil }
    var ballots: [Ballot] = []
    for start in stride(from: 20, to: bytes.count, by: 20) {
      guard word(start / 4) == 16, let ballot = Ballot(bytes: bytes.span.extracting((start + 4)..<(start + 20)))
      else {
        return nil
      }
      ballots.append(ballot)
    }
    return ballots
  }
}
