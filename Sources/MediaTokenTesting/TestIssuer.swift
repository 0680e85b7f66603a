public import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// Signs tokens for tests with a key of its own, in production's exact form.
///
/// - Warning: Only tests trust its key. Adobe alone issues real tokens.
public final class TestIssuer: Sendable {
  private let issuer: Monitor<Box>

  /// The public key, for ``/MediaToken/TokenVerifier``.
  public let keys: KeySource
  /// The same as a text, for a key file.
  public let publicKeyPEM: String

  // A monitor holds what can be copied, and the issuer can't.
  private final class Box {
    var issuer: DevelopmentTokenIssuer
    init(_ issuer: consuming DevelopmentTokenIssuer) { self.issuer = issuer }
  }

  /// An issuer with a new key of 2048 bits. Making it takes time: one issuer serves all tests.
  ///
  /// - Throws: ``/MediaToken/SetupError`` if OpenSSL fails.
  public init() throws(SetupError) {
    do throws(Problem) {
      let pair = try DevelopmentKeyPair.generate()
      publicKeyPEM = try pair.publicKeyPEM()
      keys = .pem(publicKeyPEM)
      issuer = Monitor(Box(try DevelopmentTokenIssuer(pair)))
    } catch {
      throw SetupError([error.about("key")])
    }
  }

  /// A token as a player sends it: base64.
  ///
  /// - Parameters:
  ///   - requestor: the service that it is for.
  ///   - resource: the channel or the document that it is for.
  ///   - mvpd: the viewer's provider.
  ///   - issueTime: when it says that it was made; written in whole seconds.
  ///   - lifetime: how long it lives.
  ///   - sessionGUID: the viewer's hashed account id; by default another one each time.
  /// - Throws: ``/MediaToken/SetupError`` for what can't be written in a token.
  public func token(
    requestor: String, resource: String, mvpd: String = "Sample_MVPD", issueTime: UnixTime = .now,
    lifetime: Duration = .seconds(300), sessionGUID: String? = nil
  ) throws(SetupError) -> String {
    var token = DevelopmentToken(
      requestorID: requestor, resourceID: resource, issueTime: issueTime,
      sessionGUID: sessionGUID ?? DevelopmentToken.randomSessionGUID())
    token.mvpdID = mvpd
    token.ttlMilliseconds = lifetime.milliseconds
    let made = issuer.change { box in
      Result { () throws(Problem) in
        var text: [UInt8] = []
        try box.issuer.issue(token, as: .base64, into: &text)
        return text
      }
    }
    do throws(Problem) {
      return String(decoding: try made.get(), as: UTF8.self)
    } catch {
      throw SetupError([error.about("token")])
    }
  }
}
