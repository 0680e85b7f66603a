internal import MediaTokenSystem

/// The place where a UNIX socket is made, and its owner.
package struct SocketPath: Sendable {
  package var path: String
  /// Write permission decides who may connect (unix(7)).
  package var mode: UInt32
  /// The owner, if not the user that runs the daemon.
  package var owner: UInt32?
  /// The group, if not that of the user that runs the daemon.
  package var group: UInt32?
  /// True if a lock's file that is made for this goes with it: for a place that is only tried.
  package var leavesNothing = false
  /// The number of connections that may wait to be accepted.
  var backlog: Int32 = 4096

  package init(path: String, mode: UInt32 = 0o660, owner: UInt32? = nil, group: UInt32? = nil) {
    (self.path, self.mode, self.owner, self.group) = (path, mode, owner, group)
  }

  /// Bytes of a path that fit into an address, with a NUL byte at the end (unix(7)).
  static var longest: Int { DatagramSender.longestAddress }

  /// Needs no file system.
  func check() throws(ListenerError) {
    let bytes = path.utf8
    if bytes.isEmpty { throw ListenerError(path, .emptyPath) }
    if bytes.contains(0) { throw ListenerError("socket", .nulInPath) }
    if bytes.count > Self.longest { throw ListenerError(path, .longPath(bytes: bytes.count)) }
  }

  var folder: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
