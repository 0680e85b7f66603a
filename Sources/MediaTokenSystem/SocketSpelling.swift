package enum SocketSpelling {
  /// The longest path that fits a socket's address with its NUL (unix(7): 108 bytes).
  package static let longestPath = 107

  /// The fault of a text that is to be the path of a socket, with its cure; nil if it may be one.
  package static func problem(_ text: String) -> String? {
    for scheme in ["unix://", "unix:"] where text.hasPrefix(scheme) {
      let path = DisplayText.escaped(String(text.dropFirst(scheme.count)))
      return "it begins with \(scheme), which is no part of a path; write the path alone: \(path)"
    }
    guard text.contains("://") else { return nil }
    return
      "it is an address and not the path of a UNIX socket; write the path, as socket.path of the daemon's configuration has it"
  }
}
