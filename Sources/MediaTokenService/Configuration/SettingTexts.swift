internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenReplay
internal import MediaTokenSystem

extension SettingValues<ExpectedResource> {
  /// A Media RSS document.
  static var resourceDocument: Self {
    form(.document, "a Media RSS document", bytes: 1...Limits.receivedBytes)
  }

  /// The id of a channel.
  static var resourceChannel: Self {
    form(.channel, "a channel's id")
  }

  private static func form(_ form: ResourceForm, _ what: String, bytes: ClosedRange<Int>? = nil) -> Self {
    .text(what, bytes: bytes) { text throws(ConfigurationError) in
      try rethrow(ExpectedResource(ExactText(text), as: form)) { (error: ResourceDocumentError) in
        ConfigurationError(error.fault == nil ? "not \(what): \(error)" : "\(error)")
      }
    }
  }
}

extension SettingValues<String> {
  /// The path of a file or folder.
  static var filePath: Self { .text("a path") { path throws(ConfigurationError) in try checkedPath(path) } }

  /// An address of the loopback interface.
  static var loopback: Self {
    .text("127.0.0.1 or ::1") { text throws(ConfigurationError) in
      guard ["127.0.0.1", "::1"].contains(text) else {
        throw ConfigurationError("not a loopback address; write 127.0.0.1 or ::1")
      }
      return text
    }
  }

  /// The name of a header, kept in lower case.
  static var header: Self {
    .text("a header's name", bytes: nameBytes) { name throws(ConfigurationError) in
      guard isName(name, alsoWith: nil) else {
        throw ConfigurationError(
          "not a header's name of \(nameBytes.lowerBound) to \(nameBytes.upperBound) letters, digits and hyphens"
        )
      }
      let lowered = lowercased(name)
      guard !reservedHeaders.contains(lowered) else {
        throw ConfigurationError("HTTP itself uses this header; choose another")
      }
      return lowered
    }
  }

  /// One of a few headers, in any letters, kept in lower case.
  static func header(among names: [String]) -> Self {
    let choice = names.joined(separator: " or ")
    return .text(choice) { name throws(ConfigurationError) in
      let lowered = lowercased(name)
      guard names.contains(where: { lowercased($0) == lowered }) else {
        throw ConfigurationError("not \(choice)")
      }
      return lowered
    }
  }

  /// The name of a parameter, which needs no escapes in a query.
  static var parameter: Self {
    .text("a parameter's name", bytes: nameBytes) { name throws(ConfigurationError) in
      guard isName(name, alsoWith: UInt8(ascii: "_")) else {
        throw ConfigurationError(
          "not a parameter's name of \(nameBytes.lowerBound) to \(nameBytes.upperBound) letters, digits, hyphens and underscores"
        )
      }
      return name
    }
  }
}

extension SettingValues<ExactText> {
  /// A name that is compared byte by byte.
  static func name(_ what: String) -> Self {
    .text(what) { text throws(ConfigurationError) in ExactText(text) }
  }

  /// The path of a socket.
  static var socketPath: Self {
    .text("a path; no abstract name", bytes: 1...longestSocketPath) { path throws(ConfigurationError) in
      try checkedSocketPath(path)
    }
  }

  /// The beginning of a viewer's path.
  static var routePrefix: Self {
    .text("a decoded path") { prefix throws(ConfigurationError) in
      let bytes = Array(prefix.utf8)
      guard !bytes.contains(UInt8(ascii: "?")), !bytes.contains(UInt8(ascii: "%")),
        RequestPath.decode(bytes.span) != nil
      else {
        throw ConfigurationError(
          "not a decoded path that begins with /, without ?, %, ;, backslash, //, /./, /../ and names that end in . or a space"
        )
      }
      // `/live/` is `/live`: one that covered only what is below it would leave the path itself to another route.
      return ExactText(prefix.utf8.count > 1 && prefix.hasSuffix("/") ? String(prefix.dropLast()) : prefix)
    }
  }
}

extension SettingValues<UInt32> {
  /// Permission bits of a socket in octal digits: `0660`.
  static var mode: Self {
    .text("\"0600\" to \"0666\"", bytes: modeDigits, written: { "0" + String($0, radix: 8) }, checkedMode)
  }
}

extension SettingValues<Set<Fingerprint>> {
  /// Fingerprints of keys.
  static var fingerprints: Self {
    let fingerprint = SettingValues<Fingerprint>.text("a fingerprint of 64 hexadecimal digits", bytes: 64...64) {
      text throws(ConfigurationError) in
      guard let fingerprint = Fingerprint(hexadecimal: text) else {
        throw ConfigurationError(
          "not a fingerprint of 64 hexadecimal digits; mediatoken keys list --keys PATH prints it")
      }
      return fingerprint
    }
    return SettingValues<[Fingerprint]>.list(of: fingerprint)
      .making(
        { fingerprints, _ throws(ConfigurationError) in Set(fingerprints) },
        written: { $0.isEmpty ? .array([]) : nil })
  }
}

extension SettingValues<Set<ViewerMethod>> {
  /// Methods, at least one.
  static var methods: Self {
    SettingValues<[ViewerMethod]>.list(of: .word, least: 1)
      .making(
        { methods, _ throws(ConfigurationError) in Set(methods) },
        written: { methods in
          .array(
            ViewerMethod.allCases.filter { methods.contains($0) }
              .map { LocatedJSON(line: 1, value: .string($0.rawValue)) })
        })
  }
}

extension SettingValues<ReplayAddress> {
  /// What remembers used tokens.
  static var replayAddress: Self {
    .text("the address of a replay memory") { text throws(ConfigurationError) in try address(text) }
  }
}

extension SettingValues<FleetOptions.LocalTable> {
  /// A table of this host, as a second lock under a fleet.
  static var localTable: Self {
    .text("shared:PATH or shared:PATH?capacity=N") { text throws(ConfigurationError) in
      guard case .shared(let path, let capacity) = try address(text) else {
        throw ConfigurationError("not a table's address; write shared:PATH or shared:PATH?capacity=N")
      }
      return FleetOptions.LocalTable(path: path.text, capacity: capacity)
    }
  }
}

/// The longest path that fits a socket's address with its NUL (unix(7): 108 bytes).
let longestSocketPath = 107

/// How long the name of a header or parameter may be.
private let nameBytes = 1...64

/// Headers that mean something to HTTP itself and cannot be chosen.
private let reservedHeaders = [
  "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "upgrade",
]

/// How many octal digits there are in permission bits.
private let modeDigits = 3...4

private func checkedMode(_ text: String) throws(ConfigurationError) -> UInt32 {
  guard modeDigits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x37).contains($0) }),
    let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600
  else {
    throw ConfigurationError("not permissions from \"0600\" to \"0666\" in octal, without x")
  }
  return mode
}

func checkedSocketPath(_ path: String) throws(ConfigurationError) -> ExactText {
  guard path.utf8.count <= longestSocketPath else {
    throw ConfigurationError("expected a path of at most \(longestSocketPath) bytes, found \(path.utf8.count)")
  }
  guard path.utf8.first != UInt8(ascii: "@") else {
    throw ConfigurationError(
      "an abstract name, to which any user may connect; write the path of a file")
  }
  return ExactText(try checkedPath(path))
}

private func checkedPath(_ path: String) throws(ConfigurationError) -> String {
  guard !path.isEmpty, !path.utf8.contains(0) else {
    throw ConfigurationError("the path is empty or has a NUL character")
  }
  return path
}

private func address(_ text: String) throws(ConfigurationError) -> ReplayAddress {
  try rethrow(ReplayAddress(text)) { (error: ReplayMemoryError) in ConfigurationError(error.description) }
}

private func isName(_ name: String, alsoWith other: UInt8?) -> Bool {
  nameBytes.contains(name.utf8.count)
    && name.utf8.allSatisfy { byte in
      (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-") || byte == other
    }
}

/// The text with ASCII letters in lower case.
private func lowercased(_ text: String) -> String {
  String(decoding: text.utf8.map { ($0 &- 0x41) < 26 ? $0 + 0x20 : $0 }, as: UTF8.self)
}
