public import MediaToken
internal import MediaTokenSystem

/// Why a table can't be used: always a fault in the configuration or of the machine, never a verdict on a token.
public struct ReplayTableError: Error, Sendable, Hashable {
  /// The table's file.
  public let path: String
  /// What is wrong with it.
  public let reason: Reason

  init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// What can be wrong with a table.
  public enum Reason: Sendable, Hashable {
    /// There is no such file, and no capacity to make one.
    case missing
    /// There is one already.
    case exists
    /// The path is a symbolic link.
    case link
    /// Not a regular file.
    case notRegular
    /// Neither 0600 nor 0660; its permission bits.
    case mode(UInt32)
    /// Others than root and we decide what it is; where they do.
    case distrusted(DistrustedPlace)
    /// On a file system where shared mappings are not known to work; its type as in statfs(2).
    case fileSystem(UInt64)
    /// On a file system that is mounted read-only.
    case readOnly
    /// There is no room for so many bytes.
    case diskFull(bytes: Int)
    /// It does not begin as a table does.
    case notATable
    /// Another version of the format.
    case version(UInt64)
    /// The file is not as long as its header says.
    case size(expected: Int, found: Int)
    /// The header holds a number that cannot be.
    case brokenHeader(String)
    /// Made for less capacity.
    case capacity(expected: Int, found: Int)
    /// The policy is looser than the table was made for: the setting, the table's value and the policy's in
    /// milliseconds.
    case tolerance(String, table: Int64, policy: Int64)
    /// Somebody has it open who sees another boot of the machine, such as a process in a container.
    case otherBoot
    /// It was retired: deleted or replaced while it was in use, or its disk failed.
    case retired
    /// This machine's clock says less than when the table's folder was changed last; by how many seconds.
    case clockBehind(seconds: Int)
    /// A table that was to vouch for all tokens would grant those again that this one beside it knows.
    case formerTable(String, FormerTable)
    /// It can only grow; what it is rated for.
    case notMore(found: Int)
    /// It has as many parts as a table can have.
    case grownTooOften
    /// Not a capacity that a table can have.
    case badCapacity(Int)
    /// A system call failed.
    case system(String, SystemError)
  }

  /// What makes an older table dangerous to a new one that vouches for all tokens.
  public enum FormerTable: Sendable, Hashable {
    /// Somebody has it open.
    case isOpen
    /// It is a table, and of another version or damaged: what it remembers cannot be seen.
    case isUnreadable
    /// It remembers so many tokens that may still be alive.
    case remembers(Int)
  }
}

extension ReplayTableError {
  /// Runs a system call, and says of an error which file it was and which call.
  static func blaming<Value: ~Copyable>(
    _ path: String, _ call: String, _ body: () throws(SystemError) -> Value
  ) throws(ReplayTableError) -> Value {
    do throws(SystemError) {
      return try body()
    } catch {
      throw ReplayTableError(path, .system(call, error))
    }
  }
}

extension ReplayTableError: CustomStringConvertible {
  public var description: String { "\(DisplayText.escaped(path)): \(message)" }

  private var message: String {
    switch reason {
    case .missing:
      "expected a replay table, found no file; make one with mediatoken replay create --table PATH --capacity N"
    case .exists: "expected no file, found one; a table in use is never overwritten, so move it away first"
    case .link: "expected a regular file, found a symbolic link; name the file itself"
    case .notRegular: "expected a regular file, found something else"
    case .mode(let mode):
      "expected the mode 0600, or 0660 to share it with a group, found 0\(String(mode, radix: 8)); run: chmod 600 "
        + DisplayText.shellWord(Array(path.utf8))
    case .distrusted(let place): place.description
    case .fileSystem(let type):
      "expected a local disk or tmpfs, found a file system of type 0x\(String(type, radix: 16)), where a shared mapping may not be one memory"
    case .readOnly: "expected a file system that can be written, found one that is mounted read-only"
    case .diskFull(let bytes): "expected room for \(bytes) bytes, found the disk full"
    case .notATable: "expected a replay table, found another file"
    case .version(let version):
      "expected version \(TableFormat.version) of the format, found \(version); end its users, move it away and create a new one"
    case .size(let expected, let found): "expected \(expected) bytes, found \(found); the file was cut or extended"
    case .brokenHeader(let field): "expected a sound header, found \(field) broken; recreate the table"
    case .capacity(let expected, let found):
      "expected a capacity of at least \(expected), found \(found); mediatoken replay grow makes room, also while the table is in use"
    case .notMore(let found): "expected a capacity of more than the table's \(found)"
    case .grownTooOften:
      "expected a table that grew less than \(TableFormat.mostParts - 1) times; end its users, move it away and create a larger one"
    case .tolerance(let setting, let table, let policy):
      "expected a policy with \(setting) of at most \(table) ms, found \(policy); the table must be recreated for it"
    case .otherBoot:
      "expected a table that only processes of this boot have open, found one in use under another boot id, as some containers have; end those processes, or let them see this machine's /proc/sys/kernel/random/boot_id"
    case .retired: "expected a table in use, found a retired one; move it away and create a new one"
    case .clockBehind(let seconds):
      "expected a clock that is right, found that the folder was changed \(seconds) s from now; set this machine's clock first"
    case .formerTable(let other, .isOpen):
      "expected that no older table is in use, found \(DisplayText.escaped(other)) open; end its users, or create the new table without the word that no token was used"
    case .formerTable(let other, .isUnreadable):
      "expected that no token was used before, found \(DisplayText.escaped(other)), a table of another version or a damaged one; create the new table without that word, or remove the old one when all of its tokens have ended"
    case .formerTable(let other, .remembers(let count)):
      "expected that no token was used before, found \(DisplayText.escaped(other)), which remembers \(count) that may still be alive; create the new table without that word, or wait until they have ended"
    case .badCapacity(let capacity):
      "expected a capacity of 1 to \(SharedReplayTable.largestCapacity), found \(capacity)"
    case .system(let call, let error): "\(call) failed: \(error)"
    }
  }
}
