internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// Files with a secret: a private key, a keystore's password.
enum CredentialFile {
  /// Opens one that only root and we decide about, or a pipe that the shell handed over: `--key <(vault read …)`.
  ///
  /// - Throws: who else decides, and the cure; or what the system says.
  static func open(_ path: String) throws(ToolError) -> FileDescriptor {
    let problem: String
    do throws(WalkError) {
      if isHandedOver(path) { return try plainly(path) }
      let end = try TrustedPath(Array(path.utf8))
      if [.regular, .folder].contains(end.status.kind) { return try end.open() }
      problem = "expected a regular file, found something else"
    } catch {
      switch error {
      case .system(let error): problem = "cannot be read: \(error.description)"
      case .distrusted(let place): problem = place.description
      }
    }
    throw .unable("\(VerdictText.shown(path)): \(problem)")
  }

  /// Whether it is a descriptor of ours by a name of its own (proc(5), /proc/PID/fd). Who started us opened it.
  private static func isHandedOver(_ path: String) -> Bool {
    path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
  }

  private static func plainly(_ path: String) throws(WalkError) -> FileDescriptor {
    do throws(SystemError) {
      return try FileDescriptor(opening: path, for: .reading)
    } catch {
      throw .system(error)
    }
  }
}
