/// The weight of a line in systemd's journal: a line that begins with this number in angle brackets has that priority
/// (sd-daemon(3)), and the journal takes the prefix away.
package enum JournalPriority: UInt8, Sendable {
  case error = 3
  case warning = 4
  case information = 6

  package var prefix: String { "<\(rawValue)>" }
}

package enum Journal {
  /// True if the text written to a descriptor gets there: the service manager names that stream by device and inode in
  /// `JOURNAL_STREAM` (systemd.exec(5)). A program may have inherited the variable and write to a terminal or a file.
  package static func isWritten(
    through descriptor: Int32, stream: [UInt8]? = CurrentProcess.variable("JOURNAL_STREAM")
  ) -> Bool {
    guard let stream, let status = try? FileStatus(of: descriptor) else { return false }
    return stream == Array("\(status.device):\(status.inode)".utf8)
  }
}
