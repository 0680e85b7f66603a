internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// Everything that an operator chooses. A new setting is a property, whose first value is the default, and a line below it;
/// `tools/reference` writes what documents say about it.
package struct Configuration: SettingSection {
  package var socket = SocketSettings()
  var tcp: TCPSettings?
  var inspector: InspectorSettings?
  var threads: Int?
  package var keys: [String] = []
  var allowRSA1024: Set<GivenFingerprint> = []
  var replay = ReplaySettings()
  var tenants: [TenantSettings] = []
  var auth: AuthSettings?
  /// In lower case; nil: no caller can repeat itself.
  var requestIDHeader: String?
  var limits = SizeLimits()
  package var deadlines = Deadlines()
  var log = LogSettings()
  var viewerTag: ViewerTagSettings?
  var schema: String?

  var rows: [SettingRow<Self>] {
    required("socket", \.socket, .section(SocketSettings()), reload: .needsRestart, "where the daemon answers")
    optional(
      "tcp", \.tcp, .section(TCPSettings()), reload: .needsRestart,
      "a listener on the loopback interface, for health and metrics")
    optional(
      "inspector", \.inspector, .inspector, without: "off", reload: .needsRestart,
      "where a support desk has refusals explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket of its own")
    optional(
      "threads", \.threads, .number(1...64, .threads), without: "one for each processor",
      reload: .needsRestart, "how many threads answer requests")
    required("keys", \.keys, .list(of: .path, least: 1), Setting.keys)
    optional(
      "allowRSA1024", \.allowRSA1024, .set(of: .fingerprint), without: "none",
      "keys of less than 2048 bits that are trusted all the same, such as Adobe's, by their fingerprints")
    required("replay", \.replay, .section(ReplaySettings()), reload: .needsRestart, "the memory of used tokens")
    required(
      "tenants", \.tenants, .list(of: .section(TenantSettings()), least: 1), "the requestors that are served")
    optional(
      "auth", \.auth, .section(AuthSettings()), without: "off",
      "the endpoint for proxies; without it /v1/auth is 404")
    optional(
      "requestIDHeader", \.requestIDHeader, .header,
      "the header with the caller's own id of a request; a proxy must set or overwrite it")
    optional("limits", \.limits, .section(SizeLimits()), "how much a caller may send")
    optional("deadlines", \.deadlines, .section(Deadlines()), reload: .needsRestart, "how long things may take")
    optional("log", \.log, .section(LogSettings()), "what is logged of verdicts")
    optional(
      "viewerTag", \.viewerTag, .section(ViewerTagSettings()),
      "pseudonyms of viewers' accounts in answers and log lines")
    optional(
      "$schema", \.schema, .text(TextKind("a path or an address")),
      "where an editor finds the JSON Schema of this file; the daemon does not read it")
  }

  /// How many threads answer requests.
  var workers: Int { threads ?? min(64, CurrentProcess.processors) }

  /// The key of the first setting that differs and that a running daemon cannot exchange; nil if it can take them all.
  func sectionThatNeedsRestart(comparedWith running: Configuration) -> String? {
    let old = Dictionary(uniqueKeysWithValues: running.fixed.map { ($0.key, $0.value) })
    return fixed.first { setting in old[setting.key].map { $0 != setting.value } ?? false }?.key
  }

  /// The hand-overs of tenants and routes, each with its key.
  var handovers: [(key: String, settings: HandoverSettings)] {
    let ofTenants = tenants.enumerated().map { ("tenants[\($0)].handover", $1.handover) }
    let ofRoutes = (auth?.routes ?? []).enumerated().map { ("auth.routes[\($0)].handover", $1.handover) }
    return (ofTenants + ofRoutes).compactMap { key, settings in settings.map { (key, $0) } }
  }
}

/// How much a caller may send. The defaults are the greatest values, except for connections.
package struct SizeLimits: SettingSection {
  /// Room for a token of the greatest length with every byte escaped in JSON.
  var bodyBytes = 256 * 1024
  package var headBytes = 16 * 1024
  var connections = 16_000

  var rows: [SettingRow<Self>] {
    optional("bodyBytes", \.bodyBytes, .number(4096...(256 * 1024), .bytes), "the longest body of a request")
    optional(
      "headBytes", \.headBytes, .number(1024...(16 * 1024), .bytes), reload: .needsRestart,
      "the longest head of a request: request line and headers")
    optional(
      "connections", \.connections, .number(1...1_000_000, .connections), reload: .needsRestart,
      "the most connections at once")
  }
}

/// Times in milliseconds.
package struct Deadlines: SettingSection {
  var requestMilliseconds: Int64 = 10_000
  /// Longer than nginx keeps a connection (60 s), so that nginx closes it.
  var idleMilliseconds: Int64 = 75_000
  package var drainMilliseconds: Int64 = 20_000

  var rows: [SettingRow<Self>] {
    let spans = Form<Int64>.number(100...600_000, .milliseconds)
    optional(
      "requestMilliseconds", \.requestMilliseconds, spans,
      "how long a request may take from its first byte until its answer is written")
    optional("idleMilliseconds", \.idleMilliseconds, spans, "how long a connection may be silent between requests")
    optional("drainMilliseconds", \.drainMilliseconds, spans, "how long requests may go on after SIGTERM")
  }
}

/// The log.
package struct LogSettings: SettingSection {
  var verdicts = LoggedVerdicts.refused
  var linesPerSecond = 20

  var rows: [SettingRow<Self>] {
    optional("verdicts", \.verdicts, .words(), "which verdicts get a line; refused means rejections and faults")
    optional(
      "linesPerSecond", \.linesPerSecond, .number(1...100_000, .lines),
      "the most lines about verdicts in one second")
  }
}

/// Which verdicts get a line.
enum LoggedVerdicts: String, Sendable, Hashable, CaseIterable {
  case none, refused, all
}

/// Pseudonyms of viewers' accounts.
package struct ViewerTagSettings: SettingSection {
  /// The file with the key of the HMAC.
  package var key = ""
  var rotateHours: Int64 = 24

  var rows: [SettingRow<Self>] {
    required(
      "key", \.key, .path,
      "the file with the key of the HMAC, 64 to 128 hexadecimal digits, mode 0600 or 0640; for nothing else")
    // Up to 31 days: a name that an account keeps for longer is hardly a pseudonym.
    required(
      "rotateHours", \.rotateHours, .number(1...744, .hours),
      "for how long an account keeps its pseudonym; the same on all hosts")
  }
}
