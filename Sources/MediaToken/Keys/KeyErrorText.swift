internal import MediaTokenSystem

extension KeyError: CustomStringConvertible {
  /// The file, what was expected there and what was found, and the cure.
  public var description: String {
    switch reason {
    case .nothingNamed, .tooManyKeys: reason.sentence(origin)
    default: "\(origin): \(reason.sentence(origin))"
    }
  }
}

extension KeyError.Reason {
  fileprivate func sentence(_ origin: KeyOrigin) -> String {
    switch self {
    case .nothingNamed: "expected at least one key file or folder"
    case .tooManyKeys:
      "expected at most \(Limits.trustedKeys) different keys, found more; remove those that no longer sign"
    case .unusableName, .cannotOpen, .cannotRead, .notRegular, .distrusted, .openSecret, .tooLarge,
      .changedWhileRead,
      .empty, .emptyFolder, .tooManyFiles:
      fileSentence(origin)
    case .unknownForm, .otherForm, .textOutsidePEM, .unclosedPEM, .unknownLabel, .headerInPEM, .brokenPEM,
      .brokenPublicKey, .brokenCertificate, .trailingBytes:
      formSentence(origin)
    case .keystoreTruncated, .keystoreVersion, .keystoreEntryKind, .keystoreText, .keystoreCertificateType,
      .keystoreDigest, .noTrustedCertificate:
      keystoreSentence(origin)
    case .notRSA, .modulusBits, .consentMissing, .exponent, .modulus: keySentence
    case .fault(.outOfMemory): "memory ran out while it was read"
    case .fault(let fault): "cannot be read, because OpenSSL failed (\(fault.answer.wireName))"
    }
  }

  private func fileSentence(_ origin: KeyOrigin) -> String {
    switch self {
    case .unusableName: "expected a file name that is not empty and has no NUL byte"
    case .cannotOpen(let error): "cannot be opened: \(error)"
    case .cannotRead(let error): "cannot be read: \(error)"
    case .notRegular(let kind): "expected a regular file, found a \(kind.rawValue)"
    case .distrusted(let place): place.description
    case .openSecret(let mode):
      "expected mode 0600 or 0640, found 0\(String(mode, radix: 8)); run: "
        + "chmod 0600 \(DisplayText.shellWord(origin.name)), and exchange the passwords in it if others could read them"
    case .tooLarge(let bytes):
      "expected at most \(Limits.keyFileBytes) bytes, found \(bytes); is it the right file?"
    case .changedWhileRead: "changed while it was read; try again when whoever writes it is done"
    case .empty: "expected a key, found an empty file"
    case .emptyFolder:
      "expected a file whose name ends in \(KeyFolder.endings.joined(separator: " ")), found none in this folder"
    default:
      "expected at most \(Limits.keyFilesPerFolder) key files in this folder, found more; is it the right one?"
    }
  }

  private func formSentence(_ origin: KeyOrigin) -> String {
    switch self {
    case .otherForm(let form): form.sentence(origin)
    case .textOutsidePEM:
      "expected nothing but white space outside the PEM blocks, found other text; remove it"
    case .unclosedPEM: "expected the END line of this PEM block, found the end of the file; is it complete?"
    case .unknownLabel(let label):
      "expected a PEM block PUBLIC KEY or CERTIFICATE, found \(label ?? "a label with odd characters")"
    case .headerInPEM: "expected base64 in this PEM block, found a header or an empty line; decrypt the block first"
    case .brokenPEM: "expected base64 and the END line of this PEM block, found something else"
    case .brokenPublicKey: "expected a public key (SubjectPublicKeyInfo), found other or damaged DER"
    case .brokenCertificate: "expected an X.509 certificate, found other or damaged DER"
    case .trailingBytes(let count): "expected the end of the data, found \(count) bytes more"
    default: "expected PEM, DER or a JKS keystore, found something else or a damaged file"
    }
  }

  private func keystoreSentence(_ origin: KeyOrigin) -> String {
    switch self {
    case .keystoreTruncated(let offset):
      "expected a whole JKS keystore, found that it ends early: byte \(offset) announces more than there is"
    case .keystoreVersion(let version): "expected a JKS keystore of version 1 or 2, found version \(version)"
    case .keystoreEntryKind(let kind): "expected a JKS entry of kind 1 or 2, found kind \(kind); is it damaged?"
    case .keystoreText: "expected a name in Java's UTF-8, found other bytes; is the keystore damaged?"
    case .keystoreCertificateType: "expected a certificate of type X.509, found another type"
    case .keystoreDigest:
      "expected the digest of this keystore with the given password, found another; the password is wrong or the "
        + "file is damaged"
    default: OtherKeyForm.noTrustedCertificateSentence(origin, privateKeys: privateKeys)
    }
  }

  private var keySentence: String {
    let ordinary = "\(Limits.ordinaryModulusBits) to \(Limits.largestModulusBits) bits"
    return switch self {
    case .notRSA(let algorithm): "expected an RSA key (rsaEncryption), found \(algorithm)"
    case .modulusBits(let bits): "expected an RSA key of \(ordinary), found \(bits)"
    case .consentMissing(let fingerprint, let bits):
      "expected an RSA key of \(ordinary), found \(bits); if it is the right one, consent to it by its "
        + "fingerprint: \(WeakKeyConsent.option(fingerprint))"
    case .exponent: "expected an odd public exponent from 65537 to 64 bits, found another"
    default: "expected an RSA modulus, found a number that is even, prime or has a small factor"
    }
  }

  private var privateKeys: Int {
    if case .noTrustedCertificate(let count) = self { count } else { 0 }
  }
}
