internal import MediaToken
internal import MediaTokenSystem

/// Prepares the libraries that verify signatures and ask databases.
package enum Cryptography {
  /// Makes OpenSSL ignore its configuration files, and libpq the environment, so that nothing in the environment changes a verdict.
  ///
  /// - Throws: that OpenSSL does not start.
  package static func prepare() throws(ToolError) {
    try rethrow(CryptoLibrary.ignoreConfigurationFiles()) { (fault: Fault) in
      ToolError.unable("OpenSSL does not start: \(fault.answer.wireName)")
    }
    ConnectionKeywords.forgetEnvironment()
  }
}
