internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenHandover
internal import MediaTokenSystem

/// The options for the credential that a valid token is exchanged for.
enum HandoverOptions {
  private static let format = Option(
    "handover", .words(HandoverFormat.self, called: .format),
    "mint a credential that a CDN checks by itself: \(HandoverFormat.allCases.map(\.rawValue).joined(separator: ", ")); only with a"
      + " --replay that remembers")
  private static let key = Option(
    "handover-key", .text(.file),
    "the key to mint with: hexadecimal digits, nginx's secret, or PEM in PKCS#8; mode 0600 or 0640")
  private static let path = Option(
    "handover-path", .text(.pathPrefix), "what is opened: all that begins with it, for example /live/tnt/")
  private static let life = Option(
    "handover-life", .number(HandoverTerms.lives, .seconds), "how long it is good")
  private static let keyID = Option(
    "handover-key-id", .text(.keyID),
    "the CDN's name of the key; needed by cloudfront-cookie and cat, possible for jwt-hs256 and jwt-es256")
  private static let host = Option(
    "handover-host", .text(.host), "who serves the segments; needed by cloudfront-cookie")

  static let all: [any CommandOption] = [format, key, path, life, keyID, host]

  struct Choice {
    fileprivate let terms: HandoverTerms
    fileprivate let keyFile: String

    /// Its error is not a verdict on a token.
    func minter() throws(Problem) -> HandoverMinter {
      try HandoverMinter(terms, keyFile: keyFile)
    }
  }

  /// Nil if nothing is handed over. `isEnforced`: one use is enforced; without that nothing is handed over.
  static func terms(_ arguments: Arguments, isEnforced: Bool) throws(Problem) -> Choice? {
    guard let format = try arguments[format] else {
      if let option = all.first(where: { arguments.has($0) }) {
        throw arguments.usage("\(option.usage) needs \(Self.format.usage)")
      }
      return nil
    }
    guard !arguments.has(VerifyCommand.batch) else {
      throw arguments.usage(
        "\(Self.format.usage) is for one token, and \(VerifyCommand.batch.usage) has many; give one of them")
    }
    guard isEnforced else {
      throw arguments.usage(
        "\(Self.format.usage) needs --replay shared:PATH or \(FleetAddress.forms): only a token that can't be used"
          + " again is exchanged")
    }
    let (keyFile, path) = (try arguments.required(key), try arguments.required(path))
    let (life, keyID, host) = (try arguments.required(life), try arguments[keyID], try arguments[host])
    let terms = try rethrow(
      HandoverTerms(format: format, path: path, lifeSeconds: life, keyID: keyID, host: host)
    ) { (problem: Problem) in arguments.usage("\(blamed(for: problem).usage): \(problem.sentence)") }
    return Choice(terms: terms, keyFile: keyFile)
  }

  private static func blamed(for problem: Problem) -> any CommandOption {
    let options: [String: any CommandOption] = ["path": path, "lifeSeconds": life, "keyID": keyID, "host": host]
    return problem.code == "format" ? format : options[problem.subject] ?? format
  }

  /// Nil if none was asked for. If OpenSSL fails there is no verdict, and the token is used up; `--request-id` lets its
  /// caller come again.
  static func mint(
    _ minter: HandoverMinter?, _ token: VerifiedToken, at now: Instant
  ) throws(Problem) -> HandoverCredential? {
    guard let minter else { return nil }
    return try rethrow(minter.mint(for: token, at: now)) { (problem: Problem) in
      problem.about("no verdict")
    }
  }
}
