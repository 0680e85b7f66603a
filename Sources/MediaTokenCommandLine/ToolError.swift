package enum ExitStatus {
  /// A valid token, or the work is done.
  package static let done: Int32 = 0
  /// A token was refused, or a line of a batch was malformed.
  package static let refused: Int32 = 1
  /// The command was not understood; nothing was done.
  package static let usage: Int32 = 2
  /// There is no verdict: unusable keys, a file that cannot be read or written.
  package static let undecided: Int32 = 3
}

/// The reason why a command ends without doing its work.
package enum ToolError: Error {
  /// The command line is not understood; `see` is the command whose `--help` says more.
  case usage(String, see: String)
  /// Something that the command needs is not there or does not work.
  case unable(String)

  package var exitStatus: Int32 {
    switch self {
    case .usage: ExitStatus.usage
    case .unable: ExitStatus.undecided
    }
  }

  package var description: String {
    switch self {
    case .usage(let message, let invocation): "\(message)\n  see: \(invocation) --help"
    case .unable(let message): message
    }
  }
}
