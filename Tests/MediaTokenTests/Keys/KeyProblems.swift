import MediaTokenSystem

@testable import MediaToken

/// What key files are refused with, as the tests name it; the file's name is in the subject, or it is `key`.
extension Problem {
  /// The same without the file.
  var reason: Problem { Problem(fact, cure: cure, code: code) }

  /// The mode of the place that others may change, if that is the problem.
  var openMode: UInt32? {
    let parts = fact.components(separatedBy: "and its mode is 0")
    return parts.count == 2 ? UInt32(parts[1], radix: 8) : nil
  }

  private static let key = KeyOrigin(name: Array("key".utf8))

  static func otherForm(_ form: OtherKeyForm) -> Problem { otherForm(form, key) }
  static func noTrustedCertificate(privateKeys: Int) -> Problem {
    noTrustedCertificate(key, privateKeys: privateKeys)
  }

  static func cannotOpen(_ code: Int32) -> Problem { Problem("cannot be opened: \(SystemError(code: code))") }
  static func notRSA(_ algorithm: String) -> Problem {
    Problem("expected an RSA key (rsaEncryption), found \(algorithm)")
  }
  static let exponent = Problem("the public exponent is not an odd number from 65537 to 64 bits")
  static let modulus = Problem("the modulus is even, prime or has a small factor")
  static let consentToSHA1 = Problem(
    "a fingerprint of 40 digits was allowed, which is a SHA-1, as of a certificate",
    cure: "a key's has 64: mediatoken keys list --keys PATH shows both")
  static func consentMissing(_ key: Fingerprint, modulusBits: Int) -> Problem {
    Problem(
      "expected an RSA key of 2048 to 4096 bits, found \(modulusBits)",
      cure: "if it is the right one, consent to it by its fingerprint: --allow-rsa-1024 \(key)",
      code: consentMissing)
  }
  static func keystoreVersion(_ version: UInt32) -> Problem {
    Problem("expected a JKS keystore of version 1 or 2, found version \(version)")
  }
  static let keystoreText = Problem("a name is not in Java's UTF-8", cure: "is the keystore damaged?")
  static let keystoreCertificateType = Problem("a certificate is not of type X.509")
}
