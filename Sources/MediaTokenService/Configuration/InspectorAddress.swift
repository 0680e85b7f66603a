package import MediaToken
internal import MediaTokenSystem

/// Where the inspector listens: on the loopback interface, or at a UNIX socket. There is no other place for it.
package enum InspectorAddress: Sendable, Hashable {
  /// `127.0.0.1` or `[::1]`, as an address in a browser has it.
  case loopback(host: String, port: UInt16)
  case socket(ExactText)

  /// As it is written.
  package var text: String {
    switch self {
    case .loopback(let host, let port): "\(host):\(port)"
    case .socket(let path): path.text
    }
  }
}

extension InspectorAddress {
  /// - Throws: ``ConfigurationError`` for a place that other hosts may reach, and for what is no place.
  package init(_ text: String) throws(ConfigurationError) {
    if let first = text.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "."),
      text.utf8.contains(UInt8(ascii: "/"))
    {
      self = .socket(try checkedSocketPath(text))
      return
    }
    guard let address = Self.loopback(text) else {
      throw ConfigurationError(
        "not an address of the inspector, which only this host may reach; write 127.0.0.1:PORT, [::1]:PORT, or the path of a socket that begins with / or ./"
      )
    }
    self = address
  }

  /// An address of the loopback interface; nil for any other text.
  package static func loopback(_ text: String) -> InspectorAddress? {
    for host in ["127.0.0.1", "[::1]"] where text.utf8.starts(with: "\(host):".utf8) {
      let digits = text.utf8.dropFirst(host.utf8.count + 1)
      guard digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let port = UInt16(String(Substring(digits)))
      else { return nil }
      return .loopback(host: host, port: port)
    }
    return nil
  }
}

extension SettingValues<InspectorAddress> {
  /// An address of the loopback interface with a port.
  static var loopbackPort: Self {
    .text("127.0.0.1:PORT or [::1]:PORT") { text throws(ConfigurationError) in
      let address = try InspectorAddress(text)
      guard case .loopback = address else {
        throw ConfigurationError("expected 127.0.0.1:PORT or [::1]:PORT, found a path; write it as path")
      }
      return address
    }
  }
}

extension SettingValues<Configuration.Inspector> {
  /// A place as text, which only the daemon's user may ask at if it is a socket; or an object with more.
  static var inspector: Self {
    SettingValues.text(
      "127.0.0.1:PORT, [::1]:PORT or a socket's path with a /", bytes: 1...longestSocketPath
    ) { text throws(ConfigurationError) in Configuration.Inspector(at: try InspectorAddress(text)) }
    .or(.section(Settings.inspector))
  }
}

extension Settings {
  static let inspector: SettingSection<Configuration.Inspector> = SettingSection(
    Configuration.Inspector(),
    [
      Setting(
        "path", \.path, .socketPath, without: "none", "the UNIX socket to answer on; in place of an address"),
      Setting(
        "address", \.address, .loopbackPort, without: "none",
        "the address to listen on, for every user of the machine; in place of a path"),
      Setting("mode", \.mode, .mode, "the permissions of the file in octal digits, as text"),
      Setting(
        "owner", \.owner, .account("user", named: Accounts.userID), without: "as it is made", "the file's owner"),
      Setting(
        "group", \.group, .account("group", named: Accounts.groupID), without: "as it is made",
        "the file's group, such as the support desk's; not that of the socket where tokens are used up"),
      Setting(
        "allowUIDs", \.peers.allowUIDs, .list(of: .account("user", named: Accounts.userID)), without: "empty",
        "the users who may connect to the path; with no users and no groups the file's mode decides alone"),
      Setting(
        "allowGIDs", \.peers.allowGIDs, .list(of: .account("group", named: Accounts.groupID)), without: "empty",
        "the groups whose members may connect to the path"),
    ], check: checkPlace)

  private static func checkPlace(
    _ inspector: Configuration.Inspector, _ section: SectionReading<Configuration.Inspector>
  ) throws(ConfigurationError) {
    guard (inspector.path == nil) != (inspector.address == nil) else {
      throw section.value.error(
        "expected a path or an address, found \(inspector.path == nil ? "neither" : "both")")
    }
    guard inspector.path == nil else { return }
    let ofFiles: [PartialKeyPath<Configuration.Inspector>] = [
      \.mode, \.owner, \.group, \.peers.allowUIDs, \.peers.allowGIDs,
    ]
    for property in ofFiles where section.has(property) {
      throw section.error(
        property, "an address has no such thing, as every user may connect; give a path, or leave it out")
    }
  }

  /// The inspector has a listener of its own, so that nothing of it is ever at the others.
  static func checkInspector(
    of configuration: Configuration, _ file: SectionReading<Configuration>
  ) throws(ConfigurationError) {
    let (socket, inspector) = (configuration.socket, configuration.inspector)
    switch inspector?.place {
    case .socket(socket.path):
      throw file.error(\.inspector, "this is the path of \(Self.file.key(\.socket)) too; choose another")
    case .loopback(let host, let port):
      guard let tcp = configuration.tcp, tcp.port == port,
        (tcp.address == "::1") == (host == "[::1]")
      else { return }
      throw file.error(\.inspector, "this is the port of \(Self.file.key(\.tcp)) too; choose another")
    case .socket:
      guard let inspector, inspector.mode & groupBits != 0, socket.mode & groupBits != 0,
        inspector.group ?? CurrentProcess.effectiveGroupID == socket.group ?? CurrentProcess.effectiveGroupID
      else { return }
      throw file.error(
        \.inspector,
        "its group may also connect to \(Self.file.key(\.socket.path)), where tokens are used up; give it a group of its own, or the mode 0600"
      )
    case nil: return
    }
  }

  /// Whether a socket's mode lets the group connect.
  private static let groupBits: UInt32 = 0o020
}
