package import MediaToken

/// The reason why a key pair for development can't be used, or a token can't be written or signed. It never carries a key's
/// bytes or a field's text.
package enum IssuerError: Error, Sendable, Hashable {
  // The key
  /// Not a private key in PEM.
  case notAPrivateKey
  case encrypted
  case notRSA
  case modulusBits(found: Int, allowed: ClosedRange<Int>)
  /// The two halves do not match: the file is damaged.
  case halvesDisagree

  // The token
  /// The root is not a plain ASCII name.
  case rootName
  /// A field holds a character that XML 1.0 cannot carry, or in CDATA a carriage return.
  case character(TokenField)
  case ttl(Int64)
  /// An issue time whose year does not have four digits.
  case issueTime
  /// A time zone beyond 14 hours.
  case utcOffset(Int)

  case fault(Fault)
}

extension IssuerError: CustomStringConvertible {
  /// The fault, and the cure.
  package var description: String {
    switch self {
    case .notAPrivateKey:
      "not an RSA private key in PEM (BEGIN PRIVATE KEY or BEGIN RSA PRIVATE KEY); "
        + "convert DER with: openssl pkey -inform DER -in KEY.der -out KEY.pem"
    case .encrypted:
      "the private key has a pass phrase; make a copy without one with: openssl pkey -in KEY.pem -out PLAIN.pem"
    case .notRSA: "expected an RSA key, found one of another algorithm; make one with: mediatoken keys generate"
    case .modulusBits(let found, let allowed):
      "expected an RSA key of \(allowed.lowerBound) to \(allowed.upperBound) bits in whole bytes, found \(found)"
    case .halvesDisagree: "the private and the public half of the key do not match; the file is damaged"
    case .rootName: "the root name is not ASCII letters, digits, _ . and -, beginning with a letter or _"
    case .character(let field):
      "\(field.rawValue) holds a character that XML can't carry"
        + (field == .resourceID ? " (in CDATA a carriage return is one, too)" : "")
    case .ttl(let found): "expected a life of 0 milliseconds or more, found \(found)"
    case .issueTime: "the issue time is not in the years 1970 to 9999"
    case .utcOffset(let found): "expected an offset of at most 14 hours from UTC, found \(found) minutes"
    case .fault(let fault): "OpenSSL failed (\(fault.answer.wireName))"
    }
  }
}
