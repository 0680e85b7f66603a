internal import MediaTokenSystem

/// What makes a table unusable, before its path is said: always a fault in the configuration or of the machine, never a verdict
/// on a token.
enum TableProblem {
  /// There is no such file, and no capacity to make one.
  static let missing = Problem(
    "there is no file", cure: "make a table with mediatoken replay create --table PATH --capacity N",
    code: Problem.missing)
  static let link = Problem("it is a symbolic link", cure: "name the file itself")
  static let notRegular = Problem("it is not a regular file")
  static let readOnly = Problem("it is on a file system that is mounted read-only")
  /// There is no room for blocks of its own.
  static let shared = Problem(
    "it shares its blocks with a copy of it, as cp makes, and the disk is too full to part them",
    cure: "make room, or remove the copy")
  static let diskFailed = Problem("its disk failed, or is full", cure: "repair it, or make room")
  /// As often as a table can have parts.
  static let grownTooOften = Problem(
    "it has grown \(TableFormat.mostParts - 1) times, as often as a table can",
    cure: "stop its users, move it away and create a larger one")
  static let otherBoot = Problem(
    "it is in use under another boot id, as some containers have",
    cure: "stop those processes, or let them see this machine's /proc/sys/kernel/random/boot_id")
  /// Deleted or replaced while it was in use, or its disk failed.
  static let retired = Problem("the table was retired", cure: "move it away and create a new one", code: "retired")

  /// `mode` is neither 0600 nor 0660.
  static func mode(_ mode: UInt32, _ path: String) -> Problem {
    Problem(
      "expected the mode 0600, or 0660 to share it with a group, found 0\(String(mode, radix: 8))",
      cure: "run: chmod 600 \(word(path))")
  }

  static func distrusted(_ place: DistrustedPlace) -> Problem { Problem(place.fact, cure: place.cure) }

  /// A type of file system, as in statfs(2), where shared mappings are not known to work.
  static func fileSystem(_ type: UInt64) -> Problem {
    Problem(
      "it is on a file system of type 0x\(String(type, radix: 16)), where processes may not share mapped memory",
      cure: "move it to a local disk or tmpfs")
  }

  static func diskFull(bytes: Int) -> Problem {
    Problem("the disk is full: the table needs \(bytes) bytes", cure: "make room")
  }

  static func notATable(_ path: String) -> Problem {
    Problem(
      "it is not a replay table, or half of one",
      cure:
        "stop its users, and run: \(moving(path)), and create a new one: with a capacity in its address the daemon does"
    )
  }

  static func version(_ version: UInt64) -> Problem {
    Problem(
      "expected version \(TableFormat.version) of the format, found \(version)",
      cure: "stop its users, move it away and create a new one")
  }

  /// The code of ``size(expected:found:)``.
  static let size = "size"

  static func size(expected: Int, found: Int) -> Problem {
    Problem("expected \(expected) bytes, found \(found): the file was cut or extended", code: size)
  }

  static func brokenHeader(_ field: String) -> Problem {
    Problem("the header is damaged at \(field)", cure: "recreate the table")
  }

  static func capacity(expected: Int, found: Int) -> Problem {
    Problem(
      "expected a capacity of at least \(expected), found \(found)",
      cure: "mediatoken replay grow makes room, also while the table is in use")
  }

  /// It can only grow.
  static func notMore(found: Int) -> Problem { Problem("expected a capacity of more than the table's \(found)") }

  static func badCapacity(_ found: Int) -> Problem {
    Problem("expected a capacity of 1 to \(TableFormat.largestCapacity), found \(found)")
  }

  /// The policy is looser than the table was made for; times in milliseconds.
  static func tolerance(_ setting: String, table: Int64, policy: Int64, _ path: String) -> Problem {
    Problem(
      "expected a policy with \(setting) of at most \(table) ms, found \(policy)",
      cure:
        "lower it, or stop the table's users, run: \(moving(path)), and create a new one: for about a minute it refuses older tokens"
    )
  }

  /// This machine's clock says less than when the table's folder was changed last.
  static func clockBehind(seconds: Int) -> Problem {
    Problem(
      "this machine's clock is behind: the folder's last change is \(seconds) s in the future",
      cure: "set the clock first")
  }

  /// The danger of an older table for a new one that vouches for all tokens.
  enum FormerTable {
    /// A process has it open.
    case isOpen
    /// It is a table of another version, or damaged: what it remembers cannot be seen.
    case isUnreadable
    /// It remembers this many tokens that may still be alive.
    case remembers(Int)
  }

  static func former(_ other: String, _ danger: FormerTable) -> Problem {
    let other = "an older table, \(DisplayText.escaped(other)),"
    return switch danger {
    case .isOpen:
      Problem("\(other) is in use", cure: "stop its users, or create the new table without --fresh")
    case .isUnreadable:
      Problem(
        "\(other) is of another version or damaged, and may know used tokens",
        cure: "create the new table without --fresh, or remove the old one when all of its tokens have ended")
    case .remembers(let count):
      Problem(
        "\(other) remembers \(count) used tokens that may still be alive",
        cure: "create the new table without --fresh, or wait until they have ended")
    }
  }

  static func system(_ call: String, _ error: SystemError, _ path: String) -> Problem {
    Problem(
      "\(call) failed: \(error)", cure: PathCure.cure(path, after: error, for: .owning(folderMode: "0700")))
  }

  static func opening(_ path: String, _ error: WalkError) -> Problem {
    switch error {
    case .distrusted(let place): distrusted(place.written)
    case .system(.readOnlyFileSystem): readOnly
    case .system(let error): system("open", error, path)
    }
  }

  /// Runs a system call; an error names the file and the call.
  static func blaming<Value: ~Copyable>(
    _ path: String, _ call: String, _ body: @autoclosure () throws(SystemError) -> Value
  ) throws(Problem) -> Value {
    try rethrow(body()) { (error: SystemError) in system(call, error, path).of(table: path) }
  }

  /// Moves the table away, which is never removed.
  private static func moving(_ path: String) -> String { "mv \(word(path)) \(word(path)).old" }

  private static func word(_ path: String) -> String { DisplayText.shellWord(Array(path.utf8)) }
}

extension Problem {
  /// The same with the table's file.
  func of(table path: String) -> Problem { about(DisplayText.escaped(path)) }
}
