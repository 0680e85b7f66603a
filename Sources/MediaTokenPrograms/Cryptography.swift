internal import MediaToken
package import MediaTokenCommandLine

/// The start of the library that verifies signatures.
package enum Cryptography {
  /// Makes OpenSSL ignore its configuration files, so that nothing in the environment changes a verdict.
  ///
  /// - Throws: that OpenSSL does not start.
  package static func prepare() throws(ToolError) {
    do throws(Fault) {
      try CryptoLibrary.ignoreConfigurationFiles()
    } catch {
      throw .unable("OpenSSL does not start: \(error.answer.wireName)")
    }
  }
}
