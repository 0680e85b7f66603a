internal import MediaToken

/// A search for the text that a trusted key signed among several, as long as that takes few checks of a signature.
struct SignatureChecks {
  /// The most for one text that is explained, with those of its own signature: each takes a tenth of a millisecond with the largest keys,
  /// and there may be 16. With two keys of a size that is enough to undo all of ``Cause/changes``, and with 16 for none.
  static let most = 30
  static let tooMany = "that takes more than \(most) checks of a signature"

  private(set) var made = 0
  private let verifier: TokenPath

  /// `token`: the text that was refused, as it was decoded, after one check with each key of its signature's size.
  init(after token: [UInt8], by verifier: TokenPath) {
    self.verifier = verifier
    made = needed(for: token)
  }

  /// Nil if to find out takes more checks than are left.
  mutating func isSigned(_ text: [UInt8]) -> Bool? {
    let needed = needed(for: text)
    guard made + needed <= Self.most else { return nil }
    made += needed
    return verifier.isSigned(text.span)
  }

  /// The number of keys of the size of the text's signature.
  private func needed(for text: [UInt8]) -> Int {
    var buffers = Armor.Buffers()
    var signature = [UInt8](repeating: 0, count: Limits.signatureBytes)
    guard let token = try? Armor.decode(text.span, into: &buffers),
      let envelope = try? Envelope(cutting: token.bytes, signatureInto: &signature)
    else { return 0 }
    let size = envelope.signatureBytes
    return verifier.trustedKeys.keys.count { ($0.modulusBits + 7) / 8 == size }
  }
}
