internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// A private key's file, read into memory that is overwritten afterwards.
enum PrivateKeyFile {
  /// The longest that is read, in bytes: an RSA-4096 key in PEM has 3.3 KiB.
  private static let longest = 64 * 1024

  /// - Throws: who else may change it, what the system says, or that the file is too long for a key.
  static func read(_ path: String) throws(ToolError) -> SecretBytes {
    let file = try CredentialFile.open(path)
    do throws(SystemError) {
      var bytes = SecretBytes(capacity: longest + 1)
      while bytes.span.count <= longest {
        let count = try bytes.append { (room) throws(SystemError) in
          try SystemCall.read(file.number, into: &room)
        }
        if count == 0 { return bytes }
      }
    } catch {
      throw .unable("\(VerdictText.shown(path)): cannot be read: \(error.description)")
    }
    throw .unable("\(VerdictText.shown(path)): expected a private key, found more than \(longest) bytes")
  }
}
