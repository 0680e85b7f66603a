internal import MediaToken
internal import MediaTokenFleet

/// What a fleet would say to a claim of a token, as far as looking can tell. Nothing is claimed.
struct ExplainedUse {
  /// How many votes decide.
  let votesNeeded: Int
  /// What each seat would answer.
  let looks: [SeatLook]

  /// - Parameter issueTime: says where the seats keep the token.
  init(of identity: TokenIdentity, issueTime: Instant, in seats: FleetAdministration) {
    votesNeeded = seats.address.votesNeeded
    looks = seats.look(at: identity, issueTime: issueTime)
  }

  /// What the votes would come to by the rules of a claim; nil: no verdict.
  var decision: UseOutcome? {
    var tally = Tally(seats: looks.count, word: ClaimWord(.random(), second: 0))
    for look in looks {
      if let answer = look.answer { tally.count(answer, from: look.number) }
    }
    return tally.decision(at: .now)
  }

  /// Why a verification would refuse the token; nil if it would not.
  var reason: Reason? {
    switch decision {
    case .alreadyUsed, .granted(.retry): .alreadyUsed
    case .expired: .expiredForReplayMemory
    case .predatesMemory: .predatesReplayMemory
    case .granted(.first), .granted(.notEnforced), nil: nil
    }
  }

  /// What is found, one text for each seat.
  var findings: [String] {
    looks.map { look in
      "seat \(look.number) (\(look.address)): \(Self.finding(look))"
    }
  }

  private static func finding(_ look: SeatLook) -> String {
    switch look.answer {
    case .new: "not used; it would vote for it"
    case .stands: "used"
    case .forgotten: "does not know whether it was used, because it vouches only for tokens that were issued later"
    case .ahead: "no vote, because the token was issued too far ahead of the seat's clock"
    case nil: look.reason ?? "no answer"
    }
  }
}
