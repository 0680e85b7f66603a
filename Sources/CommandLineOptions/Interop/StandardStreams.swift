internal import Glibc
internal import SystemCalls

/// The three descriptors that a program is born with.
package enum StandardStreams {
  package static let input: Int32 = 0
  package static let output: Int32 = 1
  package static let error: Int32 = 2

  /// A reader that went away is an error of `write`, not a silent death; and none of the three is left free for the
  /// next file that is opened: what belongs on standard output must not end up in a key file.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    for descriptor in [input, output, error] where fcntl(descriptor, F_GETFD) == -1 {
      // Reading from the first and writing to the second fails, as it would have; messages go nowhere.
      let mode = descriptor == output ? O_RDONLY : O_WRONLY
      guard unsafe open("/dev/null", mode) == descriptor else { exit(ExitStatus.undecided) }
    }
  }

  /// Whether messages are read by a person.
  package static var errorIsTerminal: Bool { isatty(error) == 1 }
}

/// Standard output: verdicts and results.
package enum StandardOutput {
  /// Writes everything, at once where the system lets it.
  package static func write(_ bytes: Span<UInt8>) throws(ToolError) {
    do throws(SystemFailure) {
      try SystemCall.write(StandardStreams.output, bytes)
    } catch {
      throw .unable("cannot write to standard output: \(error.description)")
    }
  }

  package static func write(_ text: String) throws(ToolError) { try write(text.utf8Span.span) }
}

/// Standard error: messages.
package enum StandardError {
  /// One message, with the program's name before it. If nobody can hear it, nobody does.
  package static func say(_ message: String, of program: String = "mediatoken") { raw("\(program): \(message)\n") }

  /// A text as it is.
  package static func raw(_ text: String) {
    do throws(SystemFailure) {
      try SystemCall.write(StandardStreams.error, text.utf8Span.span)
    } catch {
      // There is no place left to report to.
      return
    }
  }
}
