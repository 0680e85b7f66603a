/// The answer to a batch: the database's clock, and an answer to each claim.
struct ClaimsAnswer {
  /// Seconds since the epoch.
  let time: Int64
  let answers: [NodeAnswer]

  /// The row has the clock, a letter for each of `count` claims, and the ballots that are there, in order, as one value.
  /// Nil for another answer.
  init?(_ row: [UInt8], count: Int) {
    var row = BinaryReader(row[...])
    guard row.word() == 3, row.word() == BinaryReader.int8, let time = row.int8(),
      FleetClock.seconds.contains(time),
      row.word() == BinaryReader.text, let letters = row.value(), letters.count == count,
      row.word() == BinaryReader.uuidArray, var ballots = row.readNull() ? [] : row.value().flatMap(Self.ballots),
      row.isAtEnd
    else { return nil }
    self.time = time
    ballots.reverse()
    var answers: [NodeAnswer] = []
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

  /// Nil for another array, or one with nulls.
  private static func ballots(_ bytes: ArraySlice<UInt8>) -> [Ballot]? {
    var array = BinaryReader(bytes)
    // The number of dimensions, no nulls, the type; and of one dimension its number of elements, and the first index.
    guard let dimensions = array.word(), array.word() == 0, array.word() == BinaryReader.uuid else { return nil }
    if dimensions == 0 { return array.isAtEnd ? [] : nil }
    guard dimensions == 1, let count = array.word(), array.word() != nil else { return nil }
    var ballots: [Ballot] = []
    while !array.isAtEnd {
      guard let ballot = array.value().flatMap({ Ballot(bytes: $0.span) }) else { return nil }
      ballots.append(ballot)
    }
    return ballots.count == count ? ballots : nil
  }
}
