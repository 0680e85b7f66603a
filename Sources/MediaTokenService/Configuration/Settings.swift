internal import MediaToken
internal import MediaTokenSystem

/// All settings of the daemon. A new one is a property in ``Configuration``, whose initial value is the default, and a line
/// here; `tools/reference` writes what documents say about it.
package enum Settings {
  /// The file as a whole.
  static let file: SettingSection<Configuration> = SettingSection(
    .blank,
    [
      Setting(
        "socket", \.socket, .section(socket), required: true, reload: .needsRestart,
        "where the daemon answers"),
      Setting(
        "tcp", \.tcp, .section(tcp), without: "none", reload: .needsRestart,
        "a listener on the loopback interface, for health and metrics"),
      Setting(
        "inspector", \.inspector, .inspector, without: "off", reload: .needsRestart,
        "where a support desk has refusals explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket of its own"
      ),
      Setting(
        "threads", \.threads, .integer(Configuration.threadCounts, .threads), without: "one for each processor",
        reload: .needsRestart, "how many threads answer requests"),
      Setting(
        "keys", \.keys, .list(of: .filePath, least: 1), required: true,
        "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them"),
      Setting(
        "allowRSA1024", \.allowRSA1024, .fingerprints, without: "none",
        "keys of less than 2048 bits that are trusted all the same, such as Adobe's, by their fingerprints"),
      Setting(
        "replay", \.replay, .section(replay), required: true, reload: .needsRestart,
        "what remembers used tokens"),
      Setting(
        "tenants", \.tenants, .tenants, required: true, "the requestors that are served"),
      Setting(
        "peers", \.peers, .section(peers), reload: .needsRestart, "who may connect to the socket"),
      Setting(
        "auth", \.auth, .section(auth), without: "off", "the endpoint for proxies; without it /v1/auth is 404"),
      Setting(
        "requestIDHeader", \.requestIDHeader, .header, without: "none",
        "the header with the caller's own id of a request; a proxy must set or overwrite it"),
      Setting("limits", \.limits, .section(limits), "how much a caller may send"),
      Setting("deadlines", \.deadlines, .section(deadlines), reload: .needsRestart, "how long things may take"),
      Setting("log", \.log, .section(log), "what is logged of verdicts"),
      Setting(
        "viewerTag", \.viewerTag, .section(viewerTag), without: "none",
        "pseudonyms of viewers' accounts in answers and log lines"),
      Setting(
        "$schema", \.schema, .text("a path or an address") { text throws(ConfigurationError) in text },
        without: "none", "where an editor finds the JSON Schema of this file; the daemon does not read it"),
    ], check: checkTogether)

  static let socket: SettingSection<Configuration.Socket> = SettingSection(
    Configuration.blank.socket,
    [
      Setting(
        "path", \.path, .socketPath, required: true, "the UNIX socket to answer on, which is made at the start"),
      Setting("mode", \.mode, .mode, "the permissions of the file in octal digits, as text"),
      Setting(
        "owner", \.owner, .account("user", named: Accounts.userID), without: "as it is made", "the file's owner"),
      Setting(
        "group", \.group, .account("group", named: Accounts.groupID), without: "as it is made", "the file's group"),
    ])

  static let tcp: SettingSection<Configuration.TCP> = SettingSection(
    Configuration.TCP(address: "", port: 0),
    [
      Setting("address", \.address, .loopback, required: true, "the address to listen on"),
      Setting("port", \.port, .integer(1...65535), required: true, "the port to listen on"),
      Setting(
        "mayVerify", \.mayVerify, .boolean, "whether everything is served there, to every user of the machine"),
    ])

  static let peers: SettingSection<Configuration.Peers> = SettingSection(
    Configuration.Peers(),
    [
      Setting(
        "allowUIDs", \.allowUIDs, accounts("user", named: Accounts.userID), without: "no list",
        "the users who may connect; with neither users nor groups the socket's mode decides alone"),
      Setting(
        "allowGIDs", \.allowGIDs, accounts("group", named: Accounts.groupID), without: "no list",
        "the groups whose members may connect"),
    ])

  /// Never an empty list, which reads as "no one" and would let in everyone.
  private static func accounts(
    _ kind: String, named search: @escaping @Sendable (String) -> UInt32?
  ) -> SettingValues<[UInt32]> {
    .list(
      of: .account(kind, named: search), least: 1,
      orElse: "leave the member out, and with neither users nor groups the socket's mode decides alone")
  }

  private static let greatest = Configuration.SizeLimits()

  /// The defaults are the greatest values, except for connections.
  static let limits: SettingSection<Configuration.SizeLimits> = SettingSection(
    greatest,
    [
      Setting(
        "bodyBytes", \.bodyBytes, .integer(4096...greatest.bodyBytes, .bytes),
        "the longest body of a request"),
      Setting(
        "headBytes", \.headBytes, .integer(1024...greatest.headBytes, .bytes), reload: .needsRestart,
        "the longest head of a request: request line and headers"),
      Setting(
        "connections", \.connections, .integer(1...1_000_000, .connections), reload: .needsRestart,
        "the most connections at once"),
    ])

  private static let spans: SettingValues<Int64> = .integer(100...600_000, .milliseconds)

  static let deadlines: SettingSection<Configuration.Deadlines> = SettingSection(
    Configuration.Deadlines(),
    [
      Setting(
        "requestMilliseconds", \.requestMilliseconds, spans,
        "how long a request may take from its first byte until its answer is written"),
      Setting(
        "idleMilliseconds", \.idleMilliseconds, spans, "how long a connection may be silent between requests"),
      Setting(
        "drainMilliseconds", \.drainMilliseconds, spans, "how long requests may go on after SIGTERM"),
    ])

  static let log: SettingSection<Configuration.LogSettings> = SettingSection(
    Configuration.LogSettings(),
    [
      Setting(
        "verdicts", \.verdicts, .word, "which verdicts get a line; refused means rejections and faults"),
      Setting(
        "linesPerSecond", \.linesPerSecond, .integer(1...100_000, .lines),
        "the most lines about verdicts in one second"),
    ])

  static let viewerTag: SettingSection<Configuration.ViewerTag> = SettingSection(
    Configuration.ViewerTag(),
    [
      Setting(
        "key", \.key, .filePath, required: true,
        "the file with the key of the HMAC, 64 to 128 hexadecimal digits, mode 0600 or 0640; for nothing else"),
      Setting(
        "rotateHours", \.rotateHours, .integer(rotations, .hours), required: true,
        "for how long an account keeps its pseudonym; the same on all hosts"),
    ])

  /// Up to 31 days: a name that an account keeps for longer is hardly a pseudonym.
  private static let rotations: ClosedRange<Int64> = 1...744

  /// What must be true of several sections.
  private static func checkTogether(
    _ configuration: Configuration, _ file: SectionReading<Configuration>
  ) throws(ConfigurationError) {
    try checkTenants(configuration.tenants, file)
    if let auth = configuration.auth {
      try checkRoutes(of: auth, configuration.tenants, try file.inside(\.auth, Self.auth))
    }
    try checkHandovers(of: configuration, file)
    try checkInspector(of: configuration, file)
    let (wait, limit) = (
      configuration.replay.fleet.deadlineMilliseconds, configuration.deadlines.requestMilliseconds
    )
    guard !configuration.replay.isFleet || Int64(wait) < limit else {
      throw file.error(
        \.deadlines.requestMilliseconds,
        "expected more than the \(wait) of \(Self.file.key(\.replay.fleet.deadlineMilliseconds)), for which a request waits, found \(limit)"
      )
    }
    guard configuration.replay.retryWindowMilliseconds == 0 || configuration.requestIDHeader != nil else {
      throw file.error(
        \.replay.retryWindowMilliseconds,
        "a retry window needs \(Self.file.key(\.requestIDHeader)): without it no caller can repeat a request")
    }
  }
}
