/// What no state may be.
enum Violation: String {
  case doubleGrant = "granted twice"
  case verdictByAClockBehind = "a verdict on a token by a clock that is behind"
  case noWinner = "no claim was disturbed, the token lived, and no claim won"
  case endless = "a claimer loops for ever"
}

extension Rules {
  /// What is wrong with a state, if anything is.
  func violation(in state: State) -> Violation? {
    if state[.firstUses] > 1 || state[.granted].nonzeroBitCount > 1 { return .doubleGrant }
    if state[.wasRefused] == 2 { return .verdictByAClockBehind }
    for index in scenario.claimers.indices
    where state[claimer: index].clock != 0 || state[claimer: index].claimsLeft != 0 {
      return nil
    }
    if state[.wasDisturbed] == 0, state[.wasRefused] == 0 {
      guard state[.firstUses] == 1 else { return .noWinner }
      coverage.met(.fairEnd)
    }
    return nil
  }
}
