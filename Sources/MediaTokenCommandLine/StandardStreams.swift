package import MediaToken
internal import MediaTokenSystem

package enum StandardStreams {
  package static let input: Int32 = 0
  package static let output: Int32 = 1
  package static let error: Int32 = 2

  /// Turns a signal that would end the program, for a closed pipe or a file that may not grow, into an error of `write`.
  /// Occupies each descriptor that is closed, so that the next file to be opened does not take its number.
  package static func prepare() {
    Signals.ignoreBrokenPipes()
    Signals.ignoreSizeLimits()
    guard CurrentProcess.occupyStandardDescriptors() else { CurrentProcess.exit(ExitStatus.undecided) }
  }
}

/// Standard output: verdicts and results.
package enum StandardOutput {
  /// At once, where the system lets it.
  package static func write(_ bytes: Span<UInt8>) throws(Problem) {
    try rethrow(SystemCall.write(StandardStreams.output, bytes)) { (error: SystemError) in
      Problem("cannot write to standard output: \(error.description)")
    }
  }

  package static func write(_ text: String) throws(Problem) { try write(text.utf8Span.span) }
}

/// Standard error: messages.
package enum StandardError {
  /// One message after the program's name. If it cannot be written, it is lost.
  package static func say(_ message: String, of program: String) { raw("\(program): \(message)\n") }

  /// The message of a service that ends because of it: in systemd's journal each of its lines is an error.
  package static func sayLast(_ message: String, of program: String) {
    guard Journal.isWritten(through: StandardStreams.error) else { return say(message, of: program) }
    let lines = "\(program): \(message)".split(separator: "\n", omittingEmptySubsequences: false)
    raw(lines.map { "\(JournalPriority.error.prefix)\($0)\n" }.joined())
  }

  package static func raw(_ text: String) {
    do throws(SystemError) {
      try SystemCall.write(StandardStreams.error, text.utf8Span.span)
    } catch {
      // There is nowhere else to report it.
      return
    }
  }
}
