/// Something about a trusted key that an operator should know. Warnings never decide.
package enum KeyWarning: Sendable, Hashable {
  /// The key is the repository's development key, whose private part is public.
  case developmentKey
  /// The modulus has fewer than ``Limits/ordinaryModulusBits`` bits, and has consent.
  case weakModulus(bits: Int)
  /// The modulus has fewer than ``Limits/ordinaryModulusBits`` bits, and no consent yet. Of keys that are
  /// only listed: a trusted one has consent.
  case weakModulusNotAllowed(bits: Int)
  case certificateExpired(Instant)
  case certificateNotYetValid(Instant)
  case certificateDatesUnreadable
  /// The certificate has a key usage without `digitalSignature`, or damaged extensions.
  case certificateForbidsSignatures
  case certificateOfAuthority
}

extension KeyWarning: CustomStringConvertible {
  package var description: String {
    switch self {
    case .developmentKey: "this is the development key, with which anyone can sign; never trust it in production"
    case .weakModulus(let bits): "the key has only \(bits) bits; it is trusted because its fingerprint was allowed"
    case .weakModulusNotAllowed(let bits):
      "the key has only \(bits) bits; it is not trusted, because its fingerprint was not allowed"
    case .certificateExpired(let instant):
      "the certificate expired at \(instant); the key is still trusted, because it is pinned"
    case .certificateNotYetValid(let instant):
      "the certificate is valid only from \(instant); the key is still trusted, because it is pinned"
    case .certificateDatesUnreadable: "the certificate's dates cannot be read"
    case .certificateForbidsSignatures: "the certificate's key usage does not allow digital signatures"
    case .certificateOfAuthority:
      "the certificate belongs to an authority; trust the certificate that signs tokens, not its issuer's"
    }
  }
}

/// The key pair in the repository's `keys` folder, which is for development only: its private part is public.
package enum DevelopmentKey {
  /// The fingerprint of `keys/development.pem`, by which programs warn of it or refuse it.
  package static let fingerprint = Fingerprint(
    words: 0xe7a4_68d2_62e0_3580, 0x9b1c_6c8a_a0a5_8ebc, 0x38ed_5023_c645_22b5, 0x7688_a4a3_cfac_8b4c)
}
