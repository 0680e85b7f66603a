package import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// `--dev`: a daemon for trying things out, whose private key is public.
package enum DevelopmentMode {
  /// The repository's key, seen from its root.
  private static let repositoryKey = "keys/development.private.pem"
  /// The key's file if the working directory is not the repository's root.
  private static let ownKey = "mediatokend-dev.private.pem"
  private static let requestor = "REF30"
  private static let resource = "TNT"
  private static let tokenHeader = "X-Media-Token"

  /// The start of a daemon of `--dev`. Every key that it trusts is one whose private half it has: no issuer's is among
  /// them.
  package struct Session: Sendable {
    let pair: DevelopmentKeyPair
    let keys: TrustedKeys
    /// The private half's file.
    let keyPath: String
    var file: String?
    /// It is served without a file.
    var configuration = Configuration()
    /// Commands to paste, with a fresh token.
    package let help: String
  }

  /// A configuration for the working directory, and a token that it accepts. The socket takes the place of
  /// `mediatokend.sock`; nil for the inspector: nowhere. It throws if there is no key and none can be made.
  package static func session(
    socket: String?, inspector: InspectorAddress?
  ) throws(Problem) -> Session {
    let (pair, keyPath) = if let found = try foundKeyPair() { found } else { try newKeyPair() }
    var configuration = Configuration()
    configuration.socket = SocketSettings(path: ExactText(socket ?? "mediatokend.sock"), mode: 0o600)
    configuration.replay.address = .none
    configuration.tenants = [TenantSettings(requestor: ExactText(requestor))]
    var auth = AuthSettings()
    auth.tokenHeader = tokenHeader.lowercased()
    auth.routes = [
      RouteRule(prefix: "/", requestor: ExactText(requestor), resource: ExactText(resource))
    ]
    configuration.auth = auth
    configuration.log.verdicts = .all
    configuration.inspector = inspector.map { InspectorSettings(at: $0) }
    let token = try onKeyError { try Self.token(of: pair) }
    return Session(
      pair: pair, keys: try keys(pair, keyPath), keyPath: keyPath, configuration: configuration,
      help: help(token, configuration, keyPath) + stop)
  }

  /// The configuration of a file, with a table in memory; its `keys` must be the development key alone. It throws if
  /// there is no development key.
  package static func session(file: String) throws(Problem) -> Session {
    guard let (pair, keyPath) = try foundKeyPair() else {
      throw Problem.setting(
        "--dev",
        "there is no development key in the working directory, as \(repositoryKey) or \(ownKey)",
        cure: "make one with: mediatoken keys generate --out keys"
      )
    }
    let help = """
      mediatokend --dev: trusts a key that is for development only, and forgets everything when it ends.

      Tokens, for the requestors and resources of \(file):

      mediatoken issue --key \(keyPath) --requestor REQUESTOR --resource RESOURCE --form base64


      """
    return Session(
      pair: pair, keys: try keys(pair, keyPath), keyPath: keyPath, file: file,
      help: help + stop)
  }

  private static func keys(
    _ pair: DevelopmentKeyPair, _ keyPath: String
  ) throws(Problem) -> TrustedKeys {
    try onKeyError { () throws in
      try TrustedKeys(
        parsing: [KeyFile(name: keyPath, bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
    }
  }

  /// A token for an hour, so that there is time to read before pasting.
  private static func token(of pair: DevelopmentKeyPair) throws -> String {
    var token = DevelopmentToken(
      requestorID: requestor, resourceID: resource, issueTime: .now,
      sessionGUID: DevelopmentToken.randomSessionGUID())
    token.ttlMilliseconds = Policy.standard.maxTTLMilliseconds
    var issuer = try DevelopmentTokenIssuer(pair)
    var output: [UInt8] = []
    try issuer.issue(token, as: .base64, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  private static func help(_ token: String, _ configuration: Configuration, _ key: String) -> String {
    let curl = "curl --unix-socket '\(configuration.socket.path.text)'"
    let explained =
      switch configuration.inspector?.place {
      case .loopback(let host, let port): "Why a token is refused: open http://\(host):\(port)/\n\n"
      case .socket(let path):
        """
        Why a token is refused:

        curl --unix-socket '\(path.text)' -H 'Content-Type: text/plain' --data-binary @token.txt 'http://localhost/v1/explain?resource=\(resource)'


        """
      case nil: ""
      }
    return """
      mediatokend --dev: trusts a key that is for development only, and forgets everything when it ends.

      Verify the token below (valid for an hour, once; the second time it is TOKEN_REPLAYED):

      \(curl) -H 'Content-Type: text/plain' --data-binary '\(token)' 'http://localhost/v1/verify?requestor=\(requestor)&resource=\(resource)'

      Ask as a proxy does, and look at the counters:

      \(curl) -i -H '\(tokenHeader): TOKEN' http://localhost/v1/auth/any/path
      \(curl) http://localhost/metrics

      More tokens:

      mediatoken issue --key \(key) --requestor \(requestor) --resource \(resource) --form base64

      \(explained)
      """
  }

  private static let stop = "Stop with Ctrl-C.\n"

  private static func foundKeyPair() throws(Problem) -> (DevelopmentKeyPair, path: String)? {
    for path in [repositoryKey, ownKey] {
      guard let pem = try onKeyError({ () throws in try contents(path) }) else { continue }
      let pair = try onKeyError { () throws in try DevelopmentKeyPair(privateKeyPEM: pem.span) }
      return (pair, path)
    }
    return nil
  }

  private static func newKeyPair() throws(Problem) -> (DevelopmentKeyPair, path: String) {
    let pair = try onKeyError { () throws in try DevelopmentKeyPair.generate() }
    let written = try onKeyError { () throws in
      try pair.withPrivateKeyPEM { (pem) throws(SystemError) in
        try NewFile.write(pem, to: ownKey, mode: 0o600)
      }
    }
    if case .failure(let error) = written {
      throw Problem.setting("--dev", "cannot write \(ownKey) into the working directory: \(error.description)")
    }
    return (pair, ownKey)
  }

  /// Nil if the file does not exist.
  private static func contents(_ path: String) throws(Problem) -> [UInt8]? {
    do throws(Problem) {
      return try TrustedFile.contents(path)
    } catch {
      if error.code == Problem.missing { return nil }
      throw error
    }
  }

  private static func onKeyError<Value>(_ body: () throws -> Value) throws(Problem) -> Value {
    do {
      return try body()
    } catch {
      throw Problem.setting("--dev", "no development key: \(error)")
    }
  }
}
