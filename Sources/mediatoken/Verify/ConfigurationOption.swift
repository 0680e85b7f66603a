internal import MediaToken
internal import MediaTokenCommandLine

/// A daemon's configuration in place of the options that repeat its settings.
enum ConfigurationOption {
  static let config = Option(
    "config", .text(.file), "go by the configuration of a daemon: its keys, requestors, policies and replay memory")

  /// Nil if there is none. It is a usage error to give what it replaces.
  ///
  /// - Parameter others: what it replaces besides keys and policies.
  static func file(_ arguments: Arguments, replacing others: [any CommandOption]) throws(Problem) -> String? {
    guard let file = try arguments[config] else { return nil }
    if let option = (TrustOptions.all + PolicyOptions.all + others).first(where: { arguments.has($0) }) {
      throw arguments.usage("the configuration has its own \(option.usage); leave it out next to \(config.usage)")
    }
    return file
  }
}
