internal import MediaTokenSystem

/// Two fleets in one text, `moving:SECOND FROM TO [NAME=VALUE]…`, while hosts move: for a library's callers, whose policy is
/// that of both but for what is written of the old one, by the policy's own names.
package struct MovingAddress: Sendable {
  package let from: FleetAddress
  package let to: FleetAddress
  private let until: Int64
  private var numbers: [String: Int64] = [:]
  private var credentialsFile: String?

  private static let settings: [Setting] = [.maxTTL, .futureTolerance, .expiryTolerance, .deadline, .grace]
  private static let credentials = "fleet_credentials"

  /// Nil for a text of another form.
  package init?(_ text: String) throws(Problem) {
    guard text.hasPrefix("moving:") else { return nil }
    let words = text.dropFirst("moving:".count).split(separator: " ", omittingEmptySubsequences: false).map {
      String($0)
    }
    guard words.count >= 3, let until = UInt32(words[0]), until > 0 else {
      throw Problem(
        "it is not moving:SECOND FROM TO",
        cure: "write the latest from of the new fleet's initialisation, the old fleet's address and the new one's")
    }
    self.until = Int64(until)
    from = try Problem.about("from", FleetAddress(words[1]))
    to = try Problem.about("to", FleetAddress(words[2]))
    for word in words[3...] { try add(word) }
    guard from.hasGrace || numbers[Setting.grace.member] == nil else {
      throw Problem(
        "from", "\(Setting.grace.member) is given, and only a database has a grace", cure: "leave it out")
    }
  }

  private mutating func add(_ word: String) throws(Problem) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let (name, value) = (String(parts[0]), parts.dropFirst().joined())
    guard numbers[name] == nil, name != Self.credentials || credentialsFile == nil else {
      throw Problem("from", "\(name) is given twice")
    }
    if name == Self.credentials, !value.isEmpty {
      credentialsFile = value
      return
    }
    guard let setting = Self.settings.first(where: { $0.member == name }), let number = Int64(value) else {
      let names = (Self.settings.map(\.member) + [Self.credentials]).joined(separator: ", ")
      throw Problem(
        "from", "expected NAME=VALUE after both addresses, found \(Problem.shown(name))",
        cure: "write numbers and a path of the old fleet with the names \(names)")
    }
    let isLife = name == Setting.maxTTL.member
    try Problem.about("from", setting.check(number, as: name, in: isLife ? Policy.lives : nil))
    numbers[name] = number
  }

  /// A grace is for databases alone.
  package func plan(_ policy: Policy, _ settings: FleetSettings, retryWindowMilliseconds: Int64) -> FleetPlan {
    func options(_ address: FleetAddress) -> FleetOptions {
      var settings = settings
      if !address.hasGrace { settings.graceSeconds = nil }
      return FleetOptions(
        address: address, policy: policy, settings: settings, retryWindowMilliseconds: retryWindowMilliseconds)
    }
    var old = options(from)
    old.policy = policy.with(
      maxTTL: numbers[Setting.maxTTL.member], futureTolerance: numbers[Setting.futureTolerance.member],
      expiryTolerance: numbers[Setting.expiryTolerance.member])
    if let credentialsFile { old.settings.credentialsFile = credentialsFile }
    if let deadline = numbers[Setting.deadline.member] { old.settings.deadlineMilliseconds = Int(deadline) }
    if let grace = numbers[Setting.grace.member] { old.settings.graceSeconds = Int(grace) }
    return .joint(from: old, to: options(to), until: until)
  }
}
