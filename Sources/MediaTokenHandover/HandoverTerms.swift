public import MediaToken
internal import MediaTokenSystem

/// The path that a credential opens, and its life.
public struct HandoverTerms: Sendable, Hashable {
  /// The verifier of the credential, by its format.
  public let format: HandoverFormat
  /// Everything whose path begins with this is opened: `/live/tnt/`.
  public let path: String
  /// The life of the credential, in seconds.
  public let lifeSeconds: Int
  /// The verifier's name of the key, if the format has a place for that.
  public let keyID: String?
  /// The host that serves the segments, if the format has a place for that.
  public let host: String?

  /// The lives that may be granted, in seconds: up to a day. No playback lasts longer.
  public static let lives = 1...86_400

  /// The longest path in bytes. It is in the credential and in the attribute `Path` of each cookie, and an answer's head has to
  /// fit into a proxy's buffer.
  public static let longestPath = 512

  /// The longest name of a key in bytes.
  public static let longestKeyID = 128

  /// Checked terms.
  ///
  /// - Parameters:
  ///   - format: which kind of credential is minted.
  ///   - path: begins and ends with `/`; between its slashes are names of `A-Za-z0-9._-`, none of them `.` or `..`. `/` alone opens
  ///     everything.
  ///   - lifeSeconds: one of ``lives``.
  ///   - keyID: letters, digits, `.`, `_` and `-`. `cloudfront-cookie` and `cat` need one, both forms of JWT take one.
  ///   - host: a name of letters, digits, `-` and `.`, without a port. `cloudfront-cookie` needs one, nothing else takes one.
  /// - Throws: ``/MediaToken/Problem``, whose subject is the parameter: `path`, `lifeSeconds`, `keyID` or `host`.
  public init(
    format: HandoverFormat, path: String, lifeSeconds: Int, keyID: String? = nil, host: String? = nil
  ) throws(Problem) {
    guard Self.isPath(Array(path.utf8)) else {
      throw Problem(
        "path",
        "not a path that begins and ends with /, of names of letters, digits, ., _ and - (at most \(Self.longestPath) bytes)",
        cure: "write for example /live/tnt/")
    }
    guard Self.lives.contains(lifeSeconds) else {
      throw Problem(
        "lifeSeconds",
        "expected a life of \(Self.lives.lowerBound) to \(Self.lives.upperBound) seconds, found \(lifeSeconds)")
    }
    let wrongKeyID = Problem("keyID", "not a key id of 1 to \(Self.longestKeyID) letters, digits, ., _ and -")
    try Self.check(keyID, .keyID, format.keyID, format, else: wrongKeyID, Self.isKeyID)
    let wrongHost = Problem(
      "host", "not the name of a host", cure: "write it without *, port and scheme, for example cdn.example.com")
    try Self.check(host, .host, format.host, format, else: wrongHost, Self.isHost)
    (self.format, self.path, self.lifeSeconds, self.keyID, self.host) = (format, path, lifeSeconds, keyID, host)
  }

  /// What only some formats have a place for.
  enum Part: String {
    case keyID = "key id"
    case host

    /// The format is to blame, and not a text.
    func missing(in format: HandoverFormat) -> Problem {
      Problem("\(self)", "\(format.rawValue) needs a \(rawValue)", cure: "give one", code: "format")
    }
  }

  private static func check(
    _ text: String?, _ part: Part, _ demand: HandoverFormat.Demand, _ format: HandoverFormat,
    else error: Problem, _ isRight: ([UInt8]) -> Bool
  ) throws(Problem) {
    switch (text, demand) {
    case (nil, .required): throw part.missing(in: format)
    case (_?, .unused):
      throw Problem(
        "\(part)", "\(format.rawValue) has no place for a \(part.rawValue)", cure: "leave it out", code: "format")
    case (let text?, _): guard isRight(Array(text.utf8)) else { throw error }
    case (nil, _): break
    }
  }

  /// Names without any character that is special in a CDN's pattern, a cookie, a query or JSON.
  private static func isPath(_ path: [UInt8]) -> Bool {
    let slash = UInt8(ascii: "/")
    guard path.count <= longestPath, path.first == slash, path.last == slash else { return false }
    if path.count == 1 { return true }
    return path.dropFirst().dropLast().split(separator: slash, omittingEmptySubsequences: false).allSatisfy {
      name in
      !name.isEmpty && name.allSatisfy(\.isNameByte) && !name.elementsEqual(".".utf8)
        && !name.elementsEqual("..".utf8)
    }
  }

  private static func isKeyID(_ name: [UInt8]) -> Bool {
    (1...longestKeyID).contains(name.count) && name.allSatisfy(\.isNameByte)
  }

  /// A cookie's `Domain` may be such a name, too.
  package static func isHost(_ name: String) -> Bool { isHost(Array(name.utf8)) }

  /// RFC 1123, section 2.1. CloudFront reads `*` and `?` as patterns, and its `*` goes past slashes: with one in the host, a path
  /// of another host would match.
  private static func isHost(_ name: [UInt8]) -> Bool {
    name.count <= 253
      && name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
          && label.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
  }
}
