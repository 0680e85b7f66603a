import MediaTokenSystem

@testable import MediaToken

/// What key files are refused with, as the tests name it; the file's name is in the subject, or it is `key`.
extension Problem {
  /// The same without the file.
  var reason: Problem { Problem(fact, cure: cure, code: code) }

  static func otherForm(_ form: OtherKeyForm) -> Problem { otherForm(form, KeyOrigin(name: Array("key".utf8))) }
  static func cannotOpen(_ code: Int32) -> Problem { Problem("cannot be opened: \(SystemError(code: code))") }
  static func keystoreVersion(_ version: UInt32) -> Problem {
    Problem("expected a JKS keystore of version 1 or 2, found version \(version)")
  }
  static let keystoreText = Problem("a name is not in Java's UTF-8", cure: "is the keystore damaged?")
  static let keystoreCertificateType = Problem("a certificate is not of type X.509")
}
