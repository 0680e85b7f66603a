internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenHandover
internal import MediaTokenSystem

/// Files with a secret: a private key, a keystore's password.
enum CredentialFile {
  /// Opens a file that only root and we may change, or a pipe that the shell handed over: `--key <(vault read …)`. The
  /// error names the others who may change it, with the cure.
  static func open(_ path: String) throws(Problem) -> FileDescriptor {
    let problem: String
    do throws(WalkError) {
      if isHandedOver(path) {
        return try WalkError.at(FileDescriptor(opening: path, for: .reading))
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
    throw Problem("\(VerdictText.shown(path)): \(problem)")
  }

  /// Up to the end or the first `limit` bytes.
  static func read(_ path: String, atMost limit: Int) throws(Problem) -> [UInt8] {
    let file = try open(path)
    return try rethrow(ByteSource(file.number).bytes(atMost: limit)) { (error: SystemError) in
      Problem("\(VerdictText.shown(path)): cannot be read: \(error.description)")
    }
  }

  /// True if it names a descriptor of this process (proc(5), /proc/PID/fd), which its caller has opened.
  private static func isHandedOver(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }
}

enum PrivateKeyFile {
  /// The longest file that is read, in bytes: an RSA-4096 key in PEM has 3.3 KiB.
  private static let longest = 64 * 1024

  /// The caller overwrites the bytes. A file that is too long for a key is an error.
  static func read(_ path: String) throws(Problem) -> [UInt8] {
    var bytes = try CredentialFile.read(path, atMost: longest + 1)
    guard bytes.count <= longest else {
      bytes.overwrite()
      throw Problem("\(VerdictText.shown(path)): longer than \(longest) bytes, which no private key is")
    }
    return bytes
  }
}
