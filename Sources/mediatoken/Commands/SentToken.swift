internal import MediaToken

/// What a token that was sent to a daemon is called, so that an answer about another one is noticed.
enum SentToken {
  /// The name of the token's signed bytes, whether they are trusted or not; nil if the text is no token.
  static func identity(of received: [UInt8]) -> String? {
    var buffers = Armor.Buffers()
    var signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
    guard let token = try? Armor.decode(received.span, into: &buffers),
      let envelope = try? Envelope(cutting: token, signatureInto: &signature),
      var hasher = try? SHA256Hasher(), let hashed = try? HashedEnvelope(hashing: envelope, with: &hasher)
    else { return nil }
    return hashed.identity.description
  }
}
