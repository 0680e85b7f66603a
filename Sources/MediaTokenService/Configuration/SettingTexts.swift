internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Form<String> {
  /// The name of a header, kept in lower case.
  static var header: Self {
    .text(
      TextKind("a header's name", bytes: 1...64), isNot: "a header's name of 1 to 64 letters, digits and hyphens"
    ) { (name) throws(Problem) in
      guard isName(name) else { return nil }
      guard !reservedHeaders.contains(lowercased(name)) else {
        throw Problem("HTTP itself uses this header", cure: "choose another")
      }
      return lowercased(name)
    }
  }

  /// One of a few headers, in any letters, kept in lower case.
  static func header(among names: [String]) -> Self {
    .text(TextKind(names.joined(separator: " or "))) { name in
      names.map(lowercased).first { $0 == lowercased(name) }
    }
  }

  /// The name of a parameter, which needs no escapes in a query.
  static var parameter: Self {
    .text(
      TextKind("a parameter's name", bytes: 1...64),
      isNot: "a parameter's name of 1 to 64 letters, digits, hyphens and underscores"
    ) { isName($0, orHas: UInt8(ascii: "_")) ? $0 : nil }
  }

  /// Headers that mean something to HTTP itself and cannot be chosen.
  private static let reservedHeaders = [
    "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "upgrade",
  ]

  private static func isName(_ name: String, orHas other: UInt8? = nil) -> Bool {
    name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == other
      }
  }
}

extension Form<ExactText> {
  /// The path of a socket.
  static var socketPath: Self {
    .text(TextKind("a path; no abstract name", bytes: 1...SocketSpelling.longestPath)) { (path) throws(Problem) in
      try checkedSocketPath(path)
    }
  }
}

extension Form<UInt32> {
  /// Permission bits of a socket in octal digits: `0660`.
  static var mode: Self {
    text(
      TextKind("\"0600\" to \"0666\"", bytes: 3...4),
      isNot: "permissions from \"0600\" to \"0666\" in octal, without x"
    ) { text in
      guard (3...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
        let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600
      else { return nil }
      return mode
    }
    .written { "0" + String($0, radix: 8) }
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

func checkedSocketPath(_ path: String) throws(Problem) -> ExactText {
  guard path.utf8.count <= SocketSpelling.longestPath else {
    throw Problem("expected a path of at most \(SocketSpelling.longestPath) bytes, found \(path.utf8.count)")
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
