/// Where a daemon answers.
enum DaemonPlace {
  /// The path of a UNIX socket.
  case socket(String)
  /// `127.0.0.1:PORT` or `[::1]:PORT`.
  case loopback(String)

  /// A place as it is written for a daemon's inspector: whatever is not an address is a path.
  init(inspector text: String) {
    let hosts = ["127.0.0.1:", "[::1]:"]
    let digits = hosts.first { text.hasPrefix($0) }.map { text.dropFirst($0.count) }
    let isAddress = digits.map { !$0.isEmpty && $0.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 } } ?? false
    self = isAddress ? .loopback(text) : .socket(text)
  }

  /// As it is written.
  var text: String {
    switch self {
    case .socket(let text), .loopback(let text): text
    }
  }

  /// Who may ask there, where a file says it.
  var access: DaemonAccess? {
    if case .socket(let path) = self { return DaemonAccess(path) }
    return nil
  }
}
