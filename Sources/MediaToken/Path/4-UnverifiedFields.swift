extension Fields<Unverified> {
  /// Reads a received text as the path does, but without asking who signed it. The observer is told of steps 1 and 2, and
  /// of the name.
  package init(showing received: Span<UInt8>, observer: inout some PathObserver) throws(Refusal) {
    var buffers = Armor.Buffers()
    var signatureBuffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    let token = try Armor.decode(received, into: &buffers)
    observer.passedArmor(token.form, receivedBytes: received.count, tokenBytes: token.bytes.count)
    let envelope = try Envelope(cutting: token.bytes, signatureInto: &signatureBuffer)
    observer.passedEnvelope(signatureBytes: envelope.signatureBytes, signedBytes: envelope.signedBytes.count)
    var hasher: SHA256Hasher
    do throws(Fault) { hasher = try SHA256Hasher() } catch { throw .undecided(error) }
    observer.named(try HashedEnvelope(hashing: envelope, with: &hasher).identity)
    var parser = FieldParser()
    try self.init(parsing: envelope.signedBytes, with: &parser)
  }
}
