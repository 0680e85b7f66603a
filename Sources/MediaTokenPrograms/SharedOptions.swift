internal import MediaToken
package import MediaTokenCommandLine

/// Options that both programs take and read in their own way.
package enum SharedOptions {
  package static let keys = Option(
    "keys", each: .text(.path),
    "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them")

  /// For how long a repeated request gets its first answer, in milliseconds.
  ///
  /// - Parameter summary: how the program knows that a request is repeated.
  package static func retryWindow(_ summary: String) -> Option<Int64> {
    Option("retry-window", .number(Limits.retryWindows, .milliseconds), default: 0, summary)
  }
}
