/// Two fleets in one text, `moving:SECOND FROM TO`, while hosts move: for a library's callers, who give both fleets the same times and
/// settings.
package struct MovingAddress: Sendable {
  package let from: FleetAddress
  package let to: FleetAddress
  private let until: Int64

  /// Nil for a text of another form.
  package init?(_ text: String) throws(Problem) {
    guard text.hasPrefix("moving:") else { return nil }
    let words = text.dropFirst("moving:".count).split(separator: " ", omittingEmptySubsequences: false).map {
      String($0)
    }
    guard words.count == 3, let until = UInt32(words[0]), until > 0 else {
      throw Problem(
        "it is not moving:SECOND FROM TO",
        cure: "write the latest from of the new fleet's initialisation, the old fleet's address and the new one's")
    }
    self.until = Int64(until)
    (from, to) = (try Self.fleet(words[1], "from"), try Self.fleet(words[2], "to"))
  }

  private static func fleet(_ text: String, _ side: String) throws(Problem) -> FleetAddress {
    guard case .fleet(let address) = try Problem.about(side, ReplayAddress(text)) else {
      throw Problem(side, "it is not the address of a fleet", cure: "write \(FleetAddress.forms)")
    }
    return address
  }

  /// A grace is for databases alone.
  package func plan(_ policy: Policy, _ settings: FleetSettings, retryWindowMilliseconds: Int64) -> FleetPlan {
    func options(_ address: FleetAddress) -> FleetOptions {
      var settings = settings
      if !address.hasGrace { settings.graceSeconds = nil }
      return FleetOptions(
        address: address, policy: policy, settings: settings, retryWindowMilliseconds: retryWindowMilliseconds)
    }
    return .joint(from: options(from), to: options(to), until: until)
  }
}
