internal import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// `--dev`: a daemon for trying things out, whose private key is public.
package enum DevelopmentMode {
  /// Where the repository's key is, seen from its root.
  private static let repositoryKey = "keys/development.private.pem"
  /// Where a key is kept if the working directory is not the repository's root.
  private static let ownKey = "mediatokend-dev.private.pem"
  private static let requestor = "REF30"
  private static let resource = "TNT"
  private static let tokenHeader = "X-Media-Token"

  /// What `--dev` serves, and what to type.
  package struct Session: Sendable {
    /// For ``Daemon/init(_:_:)``.
    package let source: ConfigurationSource
    /// Commands to paste, with a fresh token.
    package let help: String
  }

  /// A configuration for the working directory, and a token that it accepts.
  ///
  /// - Parameters:
  ///   - socket: where to listen instead of `mediatokend.sock`.
  ///   - inspector: where refusals are explained; nil for nowhere.
  /// - Throws: ``ConfigurationError`` if there is no key and none can be made.
  package static func session(
    socket: String?, threads: Int, inspector: InspectorAddress?
  ) throws(ConfigurationError) -> Session {
    let (pair, keyPath) = try keyPair()
    let keys = try onKeyError { () throws in
      try TrustedKeys(
        parsing: [KeyFile(name: keyPath, bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
    }
    var configuration = Configuration(
      socket: Configuration.Socket(path: ExactText(socket ?? "mediatokend.sock"), mode: 0o600), threads: threads,
      keys: [], replay: Configuration.Replay(address: .none),
      tenants: [TenantSettings(requestor: ExactText(requestor), resources: .every, policy: .standard)])
    var auth = AuthSettings()
    auth.tokenHeader = tokenHeader.lowercased()
    auth.routes = [
      RouteRule(prefix: "/", access: .protected(requestor: ExactText(requestor), resource: .exactly(resource)))
    ]
    configuration.auth = auth
    configuration.log.verdicts = .all
    configuration.inspector = inspector.map { Configuration.Inspector(at: $0) }
    let token = try onKeyError { try Self.token(of: pair) }
    return Session(
      source: .development(configuration, keys), help: help(token, configuration, keyPath))
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
        "Why a token is refused: mediatoken explain --daemon '\(path.text)' --resource \(resource) - <token.txt\n\n"
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

      \(explained)Stop with Ctrl-C.

      """
  }

  private static func keyPair() throws(ConfigurationError) -> (DevelopmentKeyPair, path: String) {
    for path in [repositoryKey, ownKey] {
      guard let pem = try onKeyError({ () throws in try contents(path) }) else { continue }
      let pair = try onKeyError { () throws in try DevelopmentKeyPair(privateKeyPEM: pem.span) }
      return (pair, path)
    }
    let pair = try onKeyError { () throws in try DevelopmentKeyPair.generate() }
    let written = try onKeyError { () throws in
      try pair.withPrivateKeyPEM { (pem) throws(SystemError) in
        try NewFile.write(pem, to: ownKey, mode: 0o600)
      }
    }
    if case .failure(let error) = written {
      throw ConfigurationError(
        key: "--dev", "cannot write \(ownKey) into the working directory: \(error.description)")
    }
    return (pair, ownKey)
  }

  /// A key's file, or nil if it does not exist.
  private static func contents(_ path: String) throws(KeyError) -> [UInt8]? {
    do throws(KeyError) {
      return try TrustedFile.contents(path)
    } catch {
      if error.reason == .cannotOpen(.missing) { return nil }
      throw error
    }
  }

  private static func onKeyError<Value>(_ body: () throws -> Value) throws(ConfigurationError) -> Value {
    do {
      return try body()
    } catch {
      throw ConfigurationError(key: "--dev", "no development key: \(error)")
    }
  }
}
