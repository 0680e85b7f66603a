internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// Files with a secret: a private key, a keystore's password.
enum CredentialFile {
  /// Opens one that only root and we may change, or a pipe that the shell handed over: `--key <(vault read …)`.
  ///
  /// - Throws: who else may change it, with the cure; or what the system says.
  static func open(_ path: String) throws(ToolError) -> FileDescriptor {
    let problem: String
    do throws(WalkError) {
      if isHandedOver(path) {
        return try rethrow(FileDescriptor(opening: path, for: .reading), as: WalkError.system)
      }
      let end = try TrustedPath(Array(path.utf8))
      if [.regular, .folder].contains(end.status.kind) { return try end.open() }
      problem = "not a regular file"
    } catch {
      switch error {
      case .system(let error): problem = "cannot be read: \(error.description)"
      case .distrusted(let place): problem = place.description
      }
    }
    throw .unable("\(VerdictText.shown(path)): \(problem)")
  }

  /// Whether it names a descriptor of this process (proc(5), /proc/PID/fd), which its caller has opened.
  private static func isHandedOver(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}

/// A private key's file, read into memory that is overwritten afterwards.
enum PrivateKeyFile {
  /// The longest file that is read, in bytes: an RSA-4096 key in PEM has 3.3 KiB.
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
    throw .unable("\(VerdictText.shown(path)): longer than \(longest) bytes, which no private key is")
  }
}
