import Glibc
import MediaTokenSystem
import Testing

/// Which descriptors lead to systemd's journal.
@Suite("Journal")
struct JournalTests {
  @Test func streamThatTheServiceManagerNamesIsTheJournal() throws {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(code: errno) }
    let (reader, writer) = (ends[0], ends[1])
    defer { for end in [reader, writer] { close(end) } }
    let status = try FileStatus(of: writer)
    func isJournal(_ text: String?) -> Bool {
      Journal.isWritten(through: writer, stream: text.map { Array($0.utf8) })
    }
    #expect(isJournal("\(status.device):\(status.inode)"))
    for other in [
      "\(status.device):\(status.inode + 1)", "\(status.device + 1):\(status.inode)", "\(status.inode)", "",
      "\(status.device):\(status.inode) ", "0\(status.device):\(status.inode)",
    ] {
      #expect(!isJournal(other), "\(other)")
    }
    #expect(!isJournal(nil))
    #expect(!Journal.isWritten(through: -1, stream: Array("\(status.device):\(status.inode)".utf8)))
  }

  /// sd-daemon(3), which takes the numbers from syslog(3).
  @Test func prioritiesAreThoseOfSyslog() {
    #expect(JournalPriority.error.prefix == "<\(LOG_ERR)>")
    #expect(JournalPriority.warning.prefix == "<\(LOG_WARNING)>")
    #expect(JournalPriority.information.prefix == "<\(LOG_INFO)>")
  }
}
