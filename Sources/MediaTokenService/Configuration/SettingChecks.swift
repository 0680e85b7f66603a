package import MediaToken
internal import MediaTokenFleet
package import MediaTokenMemories

/// What a single value must be like. The configuration's file and the command line's flags share these checks.
package enum SettingChecks {
  /// The longest path that fits a socket's address with its NUL (unix(7): 108 bytes).
  static let longestSocketPath = 107

  /// A path that a socket can have.
  package static func socketPath(_ path: String) throws(SettingProblem) -> String {
    guard path.utf8.count <= longestSocketPath else {
      throw SettingProblem("expected a path of at most \(longestSocketPath) bytes, found \(path.utf8.count)")
    }
    guard path.utf8.first != UInt8(ascii: "@") else {
      throw SettingProblem("expected the path of a file, found an abstract name, which everybody may connect to")
    }
    return try filePath(path)
  }

  /// A path that a file can have.
  static func filePath(_ path: String) throws(SettingProblem) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SettingProblem("expected a path, found an empty one or one with a NUL character")
    }
    return path
  }

  /// Permission bits of a socket in octal digits: `0660`.
  static func mode(_ text: String) throws(SettingProblem) -> UInt32 {
    let digits = text.utf8
    guard (3...4).contains(digits.count), digits.allSatisfy({ (0x30...0x37).contains($0) }),
      let mode = UInt32(text, radix: 8), mode & ~0o666 == 0, mode & 0o600 == 0o600
    else {
      throw SettingProblem("expected permissions from \"0600\" to \"0666\" in octal, without x")
    }
    return mode
  }

  /// An address of the loopback interface.
  static func loopback(_ text: String) throws(SettingProblem) -> String {
    guard ["127.0.0.1", "::1"].contains(text) else {
      throw SettingProblem("expected an address of this machine alone: 127.0.0.1 or ::1")
    }
    return text
  }

  /// The fingerprint of a key.
  package static func fingerprint(_ text: String) throws(SettingProblem) -> Fingerprint {
    guard let fingerprint = Fingerprint(hexadecimal: text) else {
      throw SettingProblem(
        "expected a fingerprint of 64 hexadecimal digits; mediatoken keys list --keys PATH prints it")
    }
    return fingerprint
  }

  /// What remembers used tokens.
  package static func replayAddress(_ text: String) throws(SettingProblem) -> ReplayAddress {
    do throws(ReplayAddressError) {
      return try ReplayAddress(text)
    } catch {
      throw SettingProblem(error.description)
    }
  }

  /// A table of this host beside a fleet.
  static func localTable(_ text: String) throws(SettingProblem) -> FleetOptions.LocalTable {
    guard case .shared(let path, let capacity) = try replayAddress(text) else {
      throw SettingProblem("expected shared:PATH or shared:PATH?capacity=N, found another address")
    }
    return FleetOptions.LocalTable(path: path.text, capacity: capacity)
  }

  /// Headers that mean something to HTTP itself, and are nobody's to choose.
  private static let reservedHeaders = [
    "host", "connection", "content-length", "content-type", "transfer-encoding", "expect", "upgrade",
  ]

  /// A header's name in lower case.
  static func header(_ name: String) throws(SettingProblem) -> String {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy(isNameByte) else {
      throw SettingProblem("expected a header's name of 1 to 64 letters, digits and hyphens")
    }
    let lowered = String(decoding: name.utf8.map { ($0 &- 0x41) < 26 ? $0 + 0x20 : $0 }, as: UTF8.self)
    guard !reservedHeaders.contains(lowered) else {
      throw SettingProblem("expected a header of your own, found one that means something to HTTP itself")
    }
    return lowered
  }

  /// A parameter's name, which needs no escapes in a query.
  static func parameter(_ name: String) throws(SettingProblem) -> String {
    guard (1...64).contains(name.utf8.count), name.utf8.allSatisfy({ isNameByte($0) || $0 == UInt8(ascii: "_") })
    else { throw SettingProblem("expected a parameter's name of 1 to 64 letters, digits, hyphens and underscores") }
    return name
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "-")
  }
}
