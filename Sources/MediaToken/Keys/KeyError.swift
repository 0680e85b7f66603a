package import MediaTokenSystem

/// The reason why there is no ``TrustedKeys``: always a fault in the configuration, never a verdict on a token. It never
/// carries a key's or a password's bytes.
package struct KeyError: Error, Sendable, Hashable {
  package let origin: KeyOrigin
  package let reason: Reason

  /// The faults of a key file or of the set of them.
  package enum Reason: Error, Sendable, Hashable {
    // The set
    /// No file or folder was named.
    case nothingNamed
    /// More than ``Limits/trustedKeys`` different keys.
    case tooManyKeys

    // The file
    /// The name is empty or holds a NUL byte.
    case unusableName
    case cannotOpen(SystemError)
    case cannotRead(SystemError)
    /// Neither a regular file nor a folder.
    case notRegular(FileStatus.Kind)
    /// Users other than root and the effective user can change it; the place where they can.
    case distrusted(DistrustedPlace)
    /// A secret that more than its owner may write, or more than its group may read; its permission bits.
    case openSecret(mode: UInt32)
    /// Longer than ``Limits/keyFileBytes``; its size in bytes.
    case tooLarge(bytes: Int)
    case changedWhileRead
    /// It holds nothing, or only white space.
    case empty
    /// The folder holds no file that is read.
    case emptyFolder
    /// The folder holds more than ``Limits/keyFilesPerFolder`` files that are read.
    case tooManyFiles

    // The form
    /// Neither PEM nor DER nor a JKS keystore.
    case unknownForm
    /// A form that is known and must be converted first.
    case otherForm(OtherKeyForm)
    /// A line that resembles the BEGIN or END line of a PEM block and is not one.
    case brokenBoundary
    case unclosedPEM
    /// A PEM block of this label, which is nil if it is not a plain label.
    case unknownLabel(String?)
    /// A PEM block with header lines: an encrypted one.
    case headerInPEM
    /// A PEM block that is not base64.
    case brokenPEM
    /// Not the DER of a public key.
    case brokenPublicKey
    /// Not the DER of a certificate.
    case brokenCertificate
    /// This many bytes follow where the data should end.
    case trailingBytes(Int)

    // The keystore
    /// A length or count points past its end; the offset of that field.
    case keystoreTruncated(at: Int)
    /// A version of the JKS format that is neither 1 nor 2.
    case keystoreVersion(UInt32)
    /// An entry that is neither a private key (1) nor a trusted certificate (2).
    case keystoreEntryKind(UInt32)
    /// An alias or a type that is not Java's modified UTF-8.
    case keystoreText
    /// A certificate whose type is not X.509.
    case keystoreCertificateType
    /// The digest is not that of these bytes with this password.
    case keystoreDigest
    /// No trusted certificate; the number of private keys.
    case noTrustedCertificate(privateKeys: Int)

    // The key
    /// A key of an algorithm other than RSA, by OpenSSL's name.
    case notRSA(String)
    /// A modulus of this many bits, which no consent admits.
    case modulusBits(Int)
    /// A weak key without consent.
    case consentMissing(Fingerprint, modulusBits: Int)
    /// A weak key for whose certificate, and not for the key, there is consent; the key's own fingerprint.
    case consentToCertificate(Fingerprint)
    /// Consent by a SHA-1, which names no key.
    case consentToSHA1
    /// An exponent that is even, less than 65537 or longer than 64 bits.
    case exponent
    /// A modulus that is even, prime, or has a small factor.
    case modulus
    /// The development key, where that is not taken.
    case developmentKey

    /// No file's fault: this version of OpenSSL's libcrypto gave a wrong answer to a signature whose answer is known.
    case wrongAnswer(libcrypto: String, file: String)
    /// Not the file's fault: memory ran out, or OpenSSL failed.
    case fault(Fault)
  }
}
