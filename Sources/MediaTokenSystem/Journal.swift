/// How much a line in systemd's journal matters: a line that begins with this number in angle brackets has that priority
/// (sd-daemon(3)), and the journal takes the prefix away.
package enum JournalPriority: UInt8, Sendable {
  case error = 3
  case warning = 4
  case information = 6

  /// What such a line begins with.
  package var prefix: String { "<\(rawValue)>" }
}

/// systemd's journal.
package enum Journal {
  /// Whether what is written to a descriptor gets there: the service manager names that stream by device and inode in
  /// `JOURNAL_STREAM` (systemd.exec(5)). A program may have inherited the variable and write to a terminal or a file.
  package static func isWritten(
    through descriptor: Int32, stream: [UInt8]? = CurrentProcess.variable("JOURNAL_STREAM")
  ) -> Bool {
    guard let stream, let status = try? FileStatus(of: descriptor) else { return false }
    return stream == Array("\(status.device):\(status.inode)".utf8)
  }
}
