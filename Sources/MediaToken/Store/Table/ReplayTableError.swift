package import MediaTokenSystem

/// The reason why a table can't be used: always a fault in the configuration or of the machine, never a verdict on a token.
package struct ReplayTableError: Error, Sendable, Hashable {
  package let path: String
  package let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  package enum Reason: Sendable, Hashable {
    /// There is no such file, and no capacity to make one.
    case missing
    case link
    case notRegular
    /// Neither 0600 nor 0660; its permission bits.
    case mode(UInt32)
    /// Users other than root and the effective user can change it; the place where they can.
    case distrusted(DistrustedPlace)
    /// On a file system where shared mappings are not known to work; its type as in statfs(2).
    case fileSystem(UInt64)
    /// On a file system that is mounted read-only.
    case readOnly
    /// There is no room for this many bytes.
    case diskFull(bytes: Int)
    /// It shares blocks with a copy, and there is no room for blocks of its own.
    case shared
    /// The disk failed under it, or had no room for a page of it.
    case diskFailed
    /// It does not begin as a table does.
    case notATable
    case version(UInt64)
    /// The file is not as long as its header says.
    case size(expected: Int, found: Int)
    /// The header holds an impossible number.
    case brokenHeader(String)
    /// Made for less capacity.
    case capacity(expected: Int, found: Int)
    /// The policy is looser than the table was made for: the setting, the table's value and the policy's in
    /// milliseconds.
    case tolerance(String, table: Int64, policy: Int64)
    /// A process that sees another boot of the machine has it open, such as one in a container.
    case otherBoot
    /// It was retired: deleted or replaced while it was in use, or its disk failed.
    case retired
    /// This machine's clock says less than when the table's folder was changed last; by how many seconds.
    case clockBehind(seconds: Int)
    /// The new table was to vouch for all tokens, and would grant those again that this one in its folder knows.
    case formerTable(String, FormerTable)
    /// It can only grow; what it is rated for.
    case notMore(found: Int)
    /// It has as many parts as a table can have.
    case grownTooOften
    case badCapacity(Int)
    case system(String, SystemError)
  }

  /// The reason why an older table is dangerous to a new one that vouches for all tokens.
  package enum FormerTable: Sendable, Hashable {
    case isOpen
    /// It is a table, and of another version or damaged: its memory cannot be seen.
    case isUnreadable
    /// It remembers this many tokens that may still be alive.
    case remembers(Int)
  }
}

extension ReplayTableError {
  init(_ path: String, opening error: WalkError) {
    switch error {
    case .distrusted(let place): self.init(path, .distrusted(place.written))
    case .system(.readOnlyFileSystem): self.init(path, .readOnly)
    case .system(let error): self.init(path, .system("open", error))
    }
  }

  /// The error has the file and the call.
  static func blaming<Value: ~Copyable>(
    _ path: String, _ call: String, _ body: @autoclosure () throws(SystemError) -> Value
  ) throws(ReplayTableError) -> Value {
    try rethrow(body()) { (error: SystemError) in ReplayTableError(path, .system(call, error)) }
  }
}

extension ReplayTableError: CustomStringConvertible {
  package var description: String { "\(DisplayText.escaped(path)): \(message)" }

  /// The command that moves the table away, which is never removed.
  private var moved: String {
    let name = DisplayText.shellWord(Array(path.utf8))
    return "mv \(name) \(name).old"
  }

  private var message: String {
    switch reason {
    case .missing:
      "there is no file; make a table with mediatoken replay create --table PATH --capacity N"
    case .link: "it is a symbolic link; name the file itself"
    case .notRegular: "it is not a regular file"
    case .mode(let mode):
      "expected the mode 0600, or 0660 to share it with a group, found 0\(String(mode, radix: 8)); run: chmod 600 "
        + DisplayText.shellWord(Array(path.utf8))
    case .distrusted(let place): place.description
    case .fileSystem(let type):
      "it is on a file system of type 0x\(String(type, radix: 16)), where processes may not share mapped memory; move it to a local disk or tmpfs"
    case .readOnly: "it is on a file system that is mounted read-only"
    case .diskFull(let bytes): "the disk is full; the table needs \(bytes) bytes"
    case .shared:
      "it shares its blocks with a copy of it, as cp makes, and the disk is too full to part them; make room, or remove the copy"
    case .diskFailed: "its disk failed, or is full; repair it, or make room"
    case .notATable:
      "it is not a replay table, or half of one; stop its users, and run: \(moved), and create a new one: with a capacity in its address the daemon does"
    case .version(let version):
      "expected version \(TableFormat.version) of the format, found \(version); stop its users, move it away and create a new one"
    case .size(let expected, let found): "expected \(expected) bytes, found \(found); the file was cut or extended"
    case .brokenHeader(let field): "the header is damaged at \(field); recreate the table"
    case .capacity(let expected, let found):
      "expected a capacity of at least \(expected), found \(found); mediatoken replay grow makes room, also while the table is in use"
    case .notMore(let found): "expected a capacity of more than the table's \(found)"
    case .grownTooOften:
      "it has grown \(TableFormat.mostParts - 1) times, as often as a table can; stop its users, move it away and create a larger one"
    case .tolerance(let setting, let table, let policy):
      "expected a policy with \(setting) of at most \(table) ms, found \(policy); lower it, or stop the table's users, run: \(moved), and create a new one: for about a minute it refuses older tokens"
    case .otherBoot:
      "it is in use under another boot id, as some containers have; stop those processes, or let them see this machine's /proc/sys/kernel/random/boot_id"
    case .retired: "the table was retired; move it away and create a new one"
    case .clockBehind(let seconds):
      "this machine's clock is behind: the folder's last change is \(seconds) s in the future; set the clock first"
    case .formerTable(let other, .isOpen):
      "an older table, \(DisplayText.escaped(other)), is in use; stop its users, or create the new table without --fresh"
    case .formerTable(let other, .isUnreadable):
      "an older table, \(DisplayText.escaped(other)), is of another version or damaged, and may know used tokens; create the new table without --fresh, or remove the old one when all of its tokens have ended"
    case .formerTable(let other, .remembers(let count)):
      "an older table, \(DisplayText.escaped(other)), remembers \(count) used tokens that may still be alive; create the new table without --fresh, or wait until they have ended"
    case .badCapacity(let capacity):
      "expected a capacity of 1 to \(TableFormat.largestCapacity), found \(capacity)"
    case .system(let call, let error):
      "\(call) failed: \(error)" + PathCure.text(path, after: error, for: .owning(folderMode: "0700"))
    }
  }
}
