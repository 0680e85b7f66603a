package import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// The socket's file.
package struct SocketSettings: SettingSection {
  package var path: ExactText = ""
  package var mode: UInt32 = 0o660
  package var owner: UInt32?
  package var group: UInt32?

  var rows: [SettingRow<Self>] {
    required("path", \.path, .socketPath, "the UNIX socket to answer on, which is made at the start")
    optional("mode", \.mode, .mode, "the permissions of the file in octal digits, as text")
    optional("owner", \.owner, .user, without: "as it is made", "the file's owner")
    optional("group", \.group, .group, without: "as it is made", "the file's group")
  }
}

/// The loopback listener, for health and metrics.
struct TCPSettings: SettingSection {
  var address = ""
  var port: UInt16 = 0
  var mayVerify = false

  var rows: [SettingRow<Self>] {
    required(
      "address", \.address,
      .text(TextKind("127.0.0.1 or ::1"), isNot: "a loopback address", cure: "write 127.0.0.1 or ::1") { text in
        ["127.0.0.1", "::1"].first { $0 == text }
      }, "the address to listen on")
    required("port", \.port, .number(1...65535), "the port to listen on")
    optional("mayVerify", \.mayVerify, .boolean, "whether everything is served there, to every user of the machine")
  }
}

/// The inspector's listener: its mode and group are its own, because who may connect to the socket may use tokens up.
struct InspectorSettings: SettingSection {
  /// On the loopback interface, unless it is at a path.
  var address: InspectorAddress?
  var path: ExactText?
  /// The daemon's own user alone may connect to the path unless it is chosen otherwise.
  var mode: UInt32 = 0o600
  var owner: UInt32?
  var group: UInt32?

  /// Where it listens.
  init(at place: InspectorAddress? = nil) {
    if case .socket(let path) = place { self.path = path } else { address = place }
  }

  /// Where it listens; the settings' check has found just one place.
  var place: InspectorAddress? { path.map { .socket($0) } ?? address }

  var rows: [SettingRow<Self>] {
    optional("path", \.path, .socketPath, "the UNIX socket to answer on; in place of an address")
    optional(
      "address", \.address, .loopbackAddress,
      "the address to listen on, for every user of the machine; in place of a path")
    optional("mode", \.mode, .mode, "the permissions of the file in octal digits, as text")
    optional("owner", \.owner, .user, without: "as it is made", "the file's owner")
    optional(
      "group", \.group, .group, without: "as it is made",
      "the file's group, such as the support desk's; not that of the socket where tokens are used up")
  }

  mutating func check(_ section: Given) throws(Problem) {
    guard (path == nil) != (address == nil) else {
      throw section.error("expected a path or an address, found \(path == nil ? "neither" : "both")")
    }
    guard path == nil else { return }
    for name in ["mode", "owner", "group"] where section.member(name) != nil {
      throw section.error(
        at: name, "an address has no such thing, as every user may connect",
        cure: "give a path, or leave it out")
    }
  }
}

extension Form<InspectorSettings> {
  /// A place as text, which only the daemon's user may ask at if it is a socket; or an object with more.
  static var inspector: Self {
    text(.listeningAddress) { (text) throws(Problem) in InspectorSettings(at: try InspectorAddress(text)) }
      .or(.section(InspectorSettings()))
  }
}
