internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Form<String> {
  /// The name of a header, kept in lower case.
  static var header: Self {
    let name = name("a header's name", of: "letters, digits and hyphens", alsoWith: nil)
    return .text(TextKind("a header's name", bytes: nameBytes)) { (text) throws(Problem) in
      let lowered = lowercased(try name(text))
      guard !reservedHeaders.contains(lowered) else {
        throw Problem("HTTP itself uses this header", cure: "choose another")
      }
      return lowered
    }
  }

  /// One of a few headers, in any letters, kept in lower case.
  static func header(among names: [String]) -> Self {
    let choice = names.joined(separator: " or ")
    return .text(TextKind(choice), isNot: choice) { name in
      names.map(lowercased).first { $0 == lowercased(name) }
    }
  }

  /// The name of a parameter, which needs no escapes in a query.
  static var parameter: Self {
    .text(
      TextKind("a parameter's name", bytes: nameBytes),
      name("a parameter's name", of: "letters, digits, hyphens and underscores", alsoWith: UInt8(ascii: "_")))
  }

  /// Headers that mean something to HTTP itself and cannot be chosen.
  private static let reservedHeaders = [
    "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "upgrade",
  ]

  /// How long the name of a header or parameter may be.
  private static let nameBytes = 1...64

  private static func name(
    _ what: String, of characters: String, alsoWith other: UInt8?
  ) -> @Sendable (String) throws(Problem) -> String {
    { (name) throws(Problem) in
      let isName = name.utf8.allSatisfy { byte in
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == other
      }
      guard isName, nameBytes.contains(name.utf8.count) else {
        throw Problem("not \(what) of \(nameBytes.lowerBound) to \(nameBytes.upperBound) \(characters)")
      }
      return name
    }
  }
}

extension Form<ExactText> {
  /// The path of a socket.
  static var socketPath: Self {
    .text(TextKind("a path; no abstract name", bytes: 1...longestSocketPath)) { (path) throws(Problem) in
      try checkedSocketPath(path)
    }
  }
}

extension Form<UInt32> {
  /// Permission bits of a socket in octal digits: `0660`.
  static var mode: Self {
    @Sendable func mode(_ text: String) -> UInt32? {
      guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
        let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600
      else { return nil }
      return mode
    }
    return .text(
      TextKind("\"0600\" to \"0666\"", bytes: 3...4), written: { "0" + String($0, radix: 8) },
      isNot: "permissions from \"0600\" to \"0666\" in octal, without x", mode)
  }

  /// A user: its number, or its name if the system knows it.
  static var user: Self { account("user", named: Accounts.userID) }

  /// A group: its number, or its name if the system knows it.
  static var group: Self { account("group", named: Accounts.groupID) }

  private static func account(_ kind: String, named search: @escaping @Sendable (String) -> UInt32?) -> Self {
    let account = FormKind.account(kind)
    return Form(account) { (given) throws(Problem) in
      switch given.json.value {
      // chown(2) reads 4294967295 as "leave it as it is".
      case .integer(let number) where (0..<Int64(UInt32.max)).contains(number): return UInt32(number)
      case .string(let name):
        guard !name.isEmpty, !name.utf8.contains(0), let id = search(name) else {
          throw given.error("the system knows no \(kind) of this name")
        }
        return id
      default: throw given.isNone(of: account)
      }
    }
  }
}

extension Form<GivenFingerprint> {
  /// The fingerprint of a key.
  static var fingerprint: Self {
    .text(
      TextKind("a fingerprint of 64 hexadecimal digits", bytes: 64...95),
      isNot: "a fingerprint of 64 hexadecimal digits", cure: "mediatoken keys list --keys PATH prints it"
    ) { GivenFingerprint(hexadecimal: $0) }
  }
}

/// The longest path that fits a socket's address with its NUL (unix(7): 108 bytes).
let longestSocketPath = 107

func checkedSocketPath(_ path: String) throws(Problem) -> ExactText {
  guard path.utf8.count <= longestSocketPath else {
    throw Problem("expected a path of at most \(longestSocketPath) bytes, found \(path.utf8.count)")
  }
  if let problem = SocketSpelling.problem(path) { throw Problem(problem) }
  guard path.utf8.first != UInt8(ascii: "@") else {
    throw Problem("an abstract name, to which any user may connect", cure: "write the path of a file")
  }
  return ExactText(try checkedPath(path))
}

/// The text with ASCII letters in lower case.
private func lowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { ($0 &- 0x41) < 26 ? $0 + 0x20 : $0 }, as: UTF8.self)
}
