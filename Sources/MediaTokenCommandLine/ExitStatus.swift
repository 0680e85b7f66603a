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
