internal import MediaToken

/// The option that says whether one use is enforced.
enum ReplayOption {
  static let replay = Option.value(
    "replay", "ADDRESS", "what remembers used tokens; only none: so far, which enforces nothing (default none:)")

  /// - Throws: a usage error for every address but `none:`.
  static func memory(_ arguments: Arguments) throws(ToolError) -> any ReplayMemory {
    switch arguments.text(replay) {
    case nil, "none:": return .none
    case let address? where address.utf8.starts(with: "shared:".utf8):
      throw arguments.usage(
        "this version cannot use shared:PATH yet; type --replay none: and know that one use is not enforced")
    default:
      throw arguments.usage("expected --replay none:, the only replay memory of this version")
    }
  }
}
