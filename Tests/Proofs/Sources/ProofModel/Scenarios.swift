extension Scenario {
  /// Every small world. Long ones are larger in every direction.
  static func all(long: Bool) -> [Scenario] {
    [
      clocks(long), steps(long), three(long), neighbour(long), retries(long), lease(long), newTable(long),
      warming(long),
      endOfWarming(), growth(long), endOfAPart(), growthAndLoss(), undoneGrowth(),
    ] + (long ? [wide()] : [])
  }

  private static let token = Token(identity: World.identity, issued: 10, life: 10)

  /// Two claimers of one token near its end; others advance H and overwrite what is dead.
  private static func clocks(_ long: Bool) -> Scenario {
    Scenario(
      "clocks, ends and kills",
      claimers: [
        Claimer(token: token, clocks: [18, 19], claims: long ? 2 : 1),
        Claimer(token: token, clocks: [18, 19], claims: 2),
      ],
      ticks: [19, 20], strangerEnds: [19, 40], kills: long ? 2 : 1, overwrites: long ? 3 : 2, highest: 18)
  }

  /// Clocks that step a long way back and forth between claims, beyond what the table tolerates, and one that is ahead by more
  /// than the token's life.
  private static func steps(_ long: Bool) -> Scenario {
    Scenario(
      "clock steps",
      claimers: [
        Claimer(token: token, clocks: [11, 19, 21], claims: 2),
        Claimer(token: token, clocks: [11, 17, 19], claims: 2),
      ],
      ticks: [20, 40], strangerEnds: [19], kills: 1, overwrites: long ? 2 : 0, highest: 11)
  }

  /// Three claimers of one token.
  private static func three(_ long: Bool) -> Scenario {
    let claimer = Claimer(token: token, clocks: [19])
    return Scenario(
      "three claimers", claimers: [claimer, claimer, claimer], ticks: [20], strangerEnds: [19],
      kills: long ? 1 : 0, overwrites: long ? 1 : 0, highest: 18)
  }

  /// A real claimer of another token, in the same buckets but in the other order, and with a clock ahead.
  private static func neighbour(_ long: Bool) -> Scenario {
    let other = Token(identity: World.neighbour, issued: 10, life: 30)
    return Scenario(
      "a neighbour's spends",
      claimers: [
        Claimer(token: token, clocks: [18]), Claimer(token: token, clocks: long ? [18, 19] : [19]),
        Claimer(token: other, clocks: [21], claims: 1),
      ],
      ticks: long ? [20] : [], strangerEnds: [19], kills: long ? 1 : 0, highest: 18)
  }

  /// Both claimers repeat their own request.
  private static func retries(_ long: Bool) -> Scenario {
    Scenario(
      "retries",
      claimers: [
        Claimer(token: token, clocks: long ? [18, 19] : [19], claims: 2, request: "p"),
        Claimer(token: token, clocks: long ? [18, 19] : [18], claims: 2, request: "q"),
      ],
      ticks: long ? [19, 20] : [20], strangerEnds: [19], kills: 1, overwrites: 1, highest: 18, retryWindow: 5)
  }

  /// A table that loses power: claims before and after, clocks ahead of the lease, and a machine that believes itself in
  /// 1970. The token is dated two seconds ahead, which is as far as the table tolerates.
  private static func lease(_ long: Bool) -> Scenario {
    losing("lease and power loss", issued: 25, clocks: long ? [23, 24, 38] : [23, 24], long)
  }

  /// The same in the first seconds of a new table.
  private static func newTable(_ long: Bool) -> Scenario {
    losing("power loss of a new table", issued: 3, clocks: [1, 2], long)
  }

  private static func losing(_ name: String, issued: UInt8, clocks: [UInt8], _ long: Bool) -> Scenario {
    let claimer = Claimer(
      token: Token(identity: World.identity, issued: issued, life: 200), clocks: clocks, claims: 2)
    let epoch = Int64(World.header.epoch)
    return Scenario(
      name, claimers: [claimer, claimer], kills: long ? 1 : 0, losses: long ? 2 : 1,
      bootClocks: [0, epoch + 1, epoch + 24])
  }

  /// A table made 39 seconds too early by a clock that is then set forward, or that a restart finds set forward or back
  /// again. The lost table granted a token of second 40. A neighbour's claims go on all the time.
  private static func warming(_ long: Bool) -> Scenario {
    let lost = Token(identity: World.identity, issued: 40, life: 60)
    let other = Token(identity: World.neighbour, issued: 1, life: 200)
    return Scenario(
      "a warming table",
      claimers: [
        Claimer(token: lost, clocks: [42, 43, 44]), Claimer(token: lost, clocks: long ? [42, 43, 44] : [42]),
        Claimer(token: other, clocks: long ? [2, 5, 42, 43, 44] : [42]),
      ],
      kills: 1, losses: 1, bootClocks: [0],
      moments: [
        Moment(wall: 1, boot: 0), Moment(wall: 2, boot: 1), Moment(wall: 42, boot: 2), Moment(wall: 43, boot: 3),
        Moment(wall: 5, boot: 0, number: 1), Moment(wall: 44, boot: 1, number: 1),
        Moment(wall: 44, boot: 0, number: 2),
      ])
  }

  /// The same table when all that the lost one knew has ended, and a claimer that was stopped since it had not. The clock
  /// was eight seconds behind, and the lost table granted a token of second 10.
  private static func endOfWarming() -> Scenario {
    let lost = Token(identity: World.identity, issued: 10, life: 60)
    let other = Token(identity: World.neighbour, issued: 210, life: 10)
    return Scenario(
      "the end of warming",
      claimers: [
        Claimer(token: lost, clocks: [12, 217]), Claimer(token: lost, clocks: [217, 219]),
        Claimer(token: other, clocks: [217]),
      ],
      kills: 1,
      moments: [
        Moment(wall: 1, boot: 0), Moment(wall: 12, boot: 3), Moment(wall: 217, boot: 208),
        Moment(wall: 219, boot: 210),
      ])
  }

  /// A table that grows at any time, also for ever cut off in the middle.
  private static func growth(_ long: Bool) -> Scenario {
    Scenario(
      "growth",
      claimers: [
        Claimer(token: token, clocks: [18, 19], claims: long ? 2 : 1, request: "p"),
        Claimer(token: token, clocks: long ? [18, 19] : [19], claims: 2, request: "q"),
      ],
      ticks: [20], strangerEnds: [19], kills: 1, overwrites: long ? 2 : 1, highest: 18, retryWindow: 5, grows: true)
  }

  /// When the part before the last is looked at no more. The token's entry ends as late as one can that is claimed at 20.
  private static func endOfAPart() -> Scenario {
    let late = Token(identity: World.identity, issued: 22, life: 200)
    return Scenario(
      "the end of a part",
      claimers: [Claimer(token: late, clocks: [20]), Claimer(token: late, clocks: [20, 212, 231], claims: 2)],
      ticks: [2], highest: 1, grows: true)
  }

  /// Power loss while a table grows and after it did.
  private static func growthAndLoss() -> Scenario {
    let claimer = Claimer(token: Token(identity: World.identity, issued: 25, life: 200), clocks: [24], claims: 2)
    return Scenario(
      "growth and power loss", claimers: [claimer, claimer], losses: 1,
      bootClocks: [0, Int64(World.header.epoch) + 24], grows: true)
  }

  /// Power loss undoes growth, and the table grows again. The token comes in between, and outlives the end that the first
  /// growth reckoned.
  private static func undoneGrowth() -> Scenario {
    let late = Token(identity: World.identity, issued: 25, life: 200)
    return Scenario(
      "growth that power loss undid",
      claimers: [Claimer(token: late, clocks: [24, 212], claims: 2)], losses: 1, losesEntries: false,
      bootClocks: [0], grows: true)
  }

  /// Two entries open in each bucket.
  private static func wide() -> Scenario {
    let claimer = Claimer(token: token, clocks: [19])
    return Scenario(
      "four open entries", claimers: [claimer, claimer], openEntries: 4, ticks: [20], strangerEnds: [19, 40],
      kills: 1, overwrites: 2, highest: 18)
  }
}
