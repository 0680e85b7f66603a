/// Where a UNIX socket is to be, and whose it is.
struct SocketPath: Sendable {
  /// The path, absolute or from the working directory.
  var path: String
  /// Who may connect: write permission decides (unix(7)).
  var mode: UInt32 = 0o660
  /// The owner, if not who runs the daemon.
  var owner: UInt32?
  /// The group, if not that of who runs the daemon.
  var group: UInt32?
  /// How many connections may wait to be accepted.
  var backlog: Int32 = 4096

  /// Bytes of a path that fit into an address, with a NUL byte behind them (unix(7)).
  static let longest = 107

  /// What can be said without a look at the file system.
  func check() throws(ListenerError) {
    let bytes = path.utf8
    if bytes.isEmpty { throw ListenerError(path, .emptyPath) }
    if bytes.contains(0) { throw ListenerError("socket", .nulInPath) }
    if bytes.count > Self.longest { throw ListenerError(path, .longPath(bytes: bytes.count)) }
  }

  /// The folder that the socket is in.
  var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
