internal import MediaTokenSystem

/// Forms of keys that are not accepted as they are, each with the command that makes an accepted one of it.
package enum OtherKeyForm: Sendable, Hashable, CaseIterable {
  /// PKCS#1 `RSAPublicKey` in PEM (`RSA PUBLIC KEY`).
  case pkcs1PEM
  /// PKCS#1 `RSAPublicKey` in DER.
  case pkcs1DER
  /// A private key in PEM, of whatever kind, encrypted or not.
  case privateKeyPEM
  /// A private key in DER, of whatever kind, encrypted or not.
  case privateKeyDER
  /// A private or public key as OpenSSH writes it.
  case openSSH
  /// OpenSSL's `TRUSTED CERTIFICATE` or the old label `X509 CERTIFICATE`.
  case otherCertificatePEM
  case requestPEM
  case requestDER
  /// PKCS#7 (`.p7b`) in PEM.
  case pkcs7PEM
  /// PKCS#7 (`.p7b`) in DER.
  case pkcs7DER
  /// PKCS#12 (`.p12`, `.pfx`; also what `keytool` writes by default since Java 9).
  case pkcs12
  case jceks
  /// Bouncy Castle's BKS keystore.
  case bks
  /// PEM after a byte order mark, which editors put there and do not show.
  case markedPEM
  /// PEM in UTF-16, as PowerShell's `>` writes it.
  case utf16PEM
  /// PEM whose line ends are the two characters `\n`, as environment variables and JSON have them.
  case escapedPEM
  /// PEM whose line ends are CR alone.
  case carriageReturnPEM
  /// PEM on one line, without its line ends.
  case oneLinePEM
  /// PEM with white space before its lines, as a block of YAML has it.
  case indentedPEM
  /// Base64 without the lines around it, or base64 of a whole PEM file.
  case bareBase64
}

extension Problem {
  /// The form, and the command that converts it.
  static func otherForm(_ form: OtherKeyForm, _ origin: KeyOrigin) -> Problem {
    Problem(
      "expected a public key, a certificate or a JKS keystore, found \(form.name)",
      cure: "convert it: \(form.command(origin))\(form.advice(origin))")
  }

  static func noTrustedCertificate(_ origin: KeyOrigin, privateKeys: Int) -> Problem {
    let fact = "the keystore holds no trusted certificate"
    let file = DisplayText.shellWord(origin.name)
    guard privateKeys > 0 else {
      return Problem(
        fact,
        cure: "give the certificate itself as a PEM file, or put it in: keytool -importcert -keystore \(file) "
          + "-alias ALIAS -file CERTIFICATE")
    }
    let certificate = DisplayText.shellWord(origin.name + Array(".public.pem".utf8))
    return Problem(
      "\(fact), but \(privateKeys) private keys",
      cure: "export a certificate: keytool -exportcert -rfc -keystore \(file) -alias ALIAS -file \(certificate)")
  }
}

extension OtherKeyForm {
  fileprivate var name: String {
    switch self {
    case .pkcs1PEM, .pkcs1DER: "a PKCS#1 public key"
    case .privateKeyPEM, .privateKeyDER: "a private key, which a verifier does not need"
    case .openSSH: "an OpenSSH key"
    case .otherCertificatePEM: "a certificate with OpenSSL's trust settings or an old label"
    case .requestPEM, .requestDER: "a certificate signing request"
    case .pkcs7PEM, .pkcs7DER: "PKCS#7"
    case .pkcs12: "a PKCS#12 keystore"
    case .jceks: "a JCEKS keystore"
    case .bks: "a BKS keystore"
    case .markedPEM: "PEM with a byte order mark before it"
    case .utf16PEM: "UTF-16 text, as PowerShell's > writes it"
    case .escapedPEM: "PEM whose line ends are written as \\n"
    case .carriageReturnPEM: "PEM whose line ends are CR alone"
    case .oneLinePEM: "PEM on one line, without its line ends"
    case .indentedPEM: "PEM whose lines are indented"
    case .bareBase64: "base64 without a BEGIN and an END line"
    }
  }

  /// A command for a shell that reads the file and writes one of an accepted form into the same folder.
  func command(_ origin: KeyOrigin) -> String {
    let file = DisplayText.shellWord(origin.name)
    let key = DisplayText.shellWord(origin.name + Array(".public.pem".utf8))
    let keystore = DisplayText.shellWord(origin.name + Array(".converted.jks".utf8))
    func keytool(_ type: String) -> String {
      "keytool -importkeystore -srckeystore \(file) -srcstoretype \(type) -destkeystore \(keystore) "
        + "-deststoretype JKS"
    }
    return switch self {
    case .pkcs1PEM: "openssl rsa -RSAPublicKey_in -in \(file) -pubout -out \(key)"
    case .pkcs1DER: "openssl rsa -RSAPublicKey_in -inform DER -in \(file) -pubout -out \(key)"
    case .privateKeyPEM: "openssl pkey -in \(file) -pubout -out \(key)"
    case .privateKeyDER: "openssl pkey -inform DER -in \(file) -pubout -out \(key)"
    case .openSSH: "ssh-keygen -e -m PKCS8 -f \(file) > \(key)"
    case .otherCertificatePEM: "openssl x509 -in \(file) -out \(key)"
    case .requestPEM: "openssl req -in \(file) -pubkey -noout -out \(key)"
    case .requestDER: "openssl req -inform DER -in \(file) -pubkey -noout -out \(key)"
    case .pkcs7PEM: "openssl pkcs7 -in \(file) -print_certs | openssl x509 -out \(key)"
    case .pkcs7DER: "openssl pkcs7 -inform DER -in \(file) -print_certs | openssl x509 -out \(key)"
    // A machine with a PKCS#12 file may have no Java.
    case .pkcs12: "openssl pkcs12 -in \(file) -nokeys -out \(key)"
    case .jceks: keytool("JCEKS")
    case .bks:
      keytool("BKS") + " -providerclass org.bouncycastle.jce.provider.BouncyCastleProvider -providerpath bcprov.jar"
    case .markedPEM: "sed '1s/^\\xef\\xbb\\xbf//' < \(file) > \(key)"
    case .utf16PEM: "iconv -f UTF-16 -t UTF-8 < \(file) > \(key)"
    // PHP writes a slash in JSON as \/.
    case .escapedPEM:
      "sed -E 's|\\\\r||g; s|\\\\/|/|g; s|\\\\n|\\n|g; s|-----BEGIN|\\n&|g; s|(-----END [A-Z ]*-----)|\\1\\n|g' < \(file) > \(key)"
    case .carriageReturnPEM: "tr '\\r' '\\n' < \(file) > \(key)"
    case .oneLinePEM:
      "sed -E 's/-----(BEGIN|END) [A-Z ]*-----/\\n&\\n/g' < \(file) | sed '/-----/!s/ //g; /^$/d' | fold -w 64 > \(key)"
    case .indentedPEM: "sed 's/^[[:space:]]*//' < \(file) > \(key)"
    case .bareBase64: "base64 -di < \(file) > \(DisplayText.shellWord(origin.name + Array(".public.der".utf8)))"
    }
  }

  fileprivate func advice(_ origin: KeyOrigin) -> String {
    switch self {
    // A chain's other certificates must not be trusted by accident.
    case .pkcs7PEM, .pkcs7DER: " (takes the first certificate: check that it is the one that signs tokens)"
    case .pkcs12: " (it asks for the password, and writes every certificate: leave only those that sign tokens)"
    case .jceks, .bks: " (only trusted certificates in it are of use)"
    case .privateKeyPEM, .privateKeyDER: " (in a folder of keys, move it out as well: \(Self.movingOut(origin)))"
    default: ""
    }
  }

  /// Into the folder that its folder is in: as long as one file of a folder is no key, none of the others is used.
  private static func movingOut(_ origin: KeyOrigin) -> String {
    let end = origin.name.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return
      "mv \(DisplayText.shellWord(origin.name)) \(DisplayText.shellWord(origin.name[..<end] + Array("..".utf8)))"
  }
}
