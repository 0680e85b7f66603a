package import MediaToken
internal import MediaTokenSystem

package enum Cryptography {
  /// Makes OpenSSL ignore its configuration files, and libpq the environment, so that nothing in the environment changes a
  /// verdict.
  package static func prepare() throws(Problem) {
    try rethrow(CryptoLibrary.ignoreConfigurationFiles()) { (fault: Fault) in
      Problem("OpenSSL does not start: \(fault.answer.wireName)")
    }
    ConnectionKeywords.forgetEnvironment()
  }
}
