internal import MediaTokenSystem

extension KeyError: CustomStringConvertible {
  /// The file, the fault, and the cure.
  package var description: String {
    switch reason {
    case .nothingNamed, .tooManyKeys, .consentToSHA1, .wrongAnswer: reason.sentence(origin)
    default: "\(origin): \(reason.sentence(origin))"
    }
  }
}

extension KeyError.Reason {
  fileprivate func sentence(_ origin: KeyOrigin) -> String {
    let ordinary = "\(Limits.ordinaryModulusBits) to \(Limits.largestModulusBits) bits"
    return switch self {
    case .nothingNamed: "no key file or folder is named"
    case .tooManyKeys:
      "there are more than \(Limits.trustedKeys) different keys; remove those that no longer sign"

    case .unusableName: "the file name is empty or holds a NUL byte"
    case .cannotOpen(let error):
      "cannot be opened: \(error)"
        + PathCure.text(String(decoding: origin.name, as: UTF8.self), after: error, for: .reading)
    case .cannotRead(let error): "cannot be read: \(error)"
    case .notRegular(let kind): "expected a regular file, found a \(kind.rawValue)"
    case .distrusted(let place): place.description
    case .openSecret(let mode):
      "expected mode 0600 or 0640, found 0\(String(mode, radix: 8)); run: "
        + "chmod 0600 \(DisplayText.shellWord(origin.name)), and replace the secrets in it if others could read them"
    case .tooLarge(let bytes):
      "expected at most \(Limits.keyFileBytes) bytes, found \(bytes); is it the right file?"
    case .changedWhileRead: "it changed while it was read; try again when it is complete"
    case .empty: "the file is empty"
    case .emptyFolder:
      "the folder holds no file whose name ends in \(KeyFolder.endings.joined(separator: " ")); "
        + "those in \(KeyFolder.privateEnding) are not read"
    case .tooManyFiles:
      "the folder holds more than \(Limits.keyFilesPerFolder) key files; is it the right one?"

    case .otherForm(let form): form.sentence(origin)
    case .brokenBoundary:
      "the line resembles the BEGIN or END line of a PEM block; expected five hyphens, the words in capitals and five "
        + "hyphens alone on a line, as in -----BEGIN PUBLIC KEY-----, and the END line after its block"
    case .unclosedPEM: "the PEM block has no END line; is the file complete?"
    case .unknownLabel(let label):
      "expected a PEM block PUBLIC KEY or CERTIFICATE, found \(label ?? "a label with odd characters")"
    case .headerInPEM: "the PEM block holds a header or an empty line; decrypt the block first"
    case .brokenPEM: "the PEM block is not base64"
    case .brokenPublicKey: "not a public key (SubjectPublicKeyInfo), but other or damaged DER"
    case .brokenCertificate: "not an X.509 certificate, but other or damaged DER"
    case .trailingBytes(let count): "\(count) bytes follow after the end of the data"
    case .unknownForm: "neither PEM, DER nor a JKS keystore, or a damaged one"

    case .keystoreTruncated(let offset):
      "the JKS keystore is cut off: byte \(offset) announces more than follows"
    case .keystoreVersion(let version): "expected a JKS keystore of version 1 or 2, found version \(version)"
    case .keystoreEntryKind(let kind):
      "expected a JKS entry of kind 1 or 2, found kind \(kind); is the keystore damaged?"
    case .keystoreText: "a name is not in Java's UTF-8; is the keystore damaged?"
    case .keystoreCertificateType: "a certificate is not of type X.509"
    case .keystoreDigest:
      "the keystore's digest does not match the given password; the password is wrong or the file is damaged"
    case .noTrustedCertificate(let count):
      OtherKeyForm.noTrustedCertificateSentence(origin, privateKeys: count)

    case .notRSA(let algorithm): "expected an RSA key (rsaEncryption), found \(algorithm)"
    case .modulusBits(let bits): "expected an RSA key of \(ordinary), found \(bits)"
    case .consentMissing(let fingerprint, let bits):
      "expected an RSA key of \(ordinary), found \(bits); if it is the right one, consent to it by its "
        + "fingerprint: \(WeakKeyConsent.option(fingerprint))"
    case .consentToCertificate(let fingerprint):
      "the fingerprint that was allowed is the certificate's; the key's is \(fingerprint): if it is the right one, consent "
        + "to it: \(WeakKeyConsent.option(fingerprint))"
    case .consentToSHA1:
      "a fingerprint of 40 digits was allowed, which is a SHA-1, as of a certificate; a key's has 64: mediatoken keys list "
        + "--keys PATH shows both"
    case .exponent: "the public exponent is not an odd number from 65537 to 64 bits"
    case .modulus: "the modulus is even, prime or has a small factor"
    case .developmentKey: "this is the development key, with which anyone can sign"

    case .wrongAnswer(let version, let file):
      "libcrypto (\(version)) gives a wrong answer to a known signature, so no key can be trusted with it; "
        + "the answer is from \(file): if LD_PRELOAD or LD_LIBRARY_PATH names that file, unset it; else reinstall its package "
        + "(dpkg -S \(DisplayText.shellWord(Array(file.utf8))) names it), and if that does not help, install a newer mediatoken"
    case .fault(.outOfMemory): "memory ran out while it was read"
    case .fault(let fault): "cannot be read, because OpenSSL failed (\(fault.answer.wireName))"
    }
  }
}
