internal import MediaToken
internal import MediaTokenSystem

/// Everything that an operator chooses. A new setting is a property, whose first value is the default, and a line below it;
/// `tools/reference` writes what documents say about it.
package struct Configuration: SettingSection {
  package var socket = SocketSettings()
  var tcp: TCPSettings?
  var inspector: InspectorSettings?
  var threads = min(threadCounts.upperBound, CurrentProcess.processors)
  package var keys: [String] = []
  var allowRSA1024: Set<GivenFingerprint> = []
  var replay = ReplaySettings()
  var tenants: [TenantSettings] = []
  var peers = PeerSettings()
  var auth: AuthSettings?
  /// In lower case; nil: no caller can repeat itself.
  var requestIDHeader: String?
  var limits = SizeLimits()
  package var deadlines = Deadlines()
  var log = LogSettings()
  var viewerTag: ViewerTagSettings?
  var schema: String?

  private static let threadCounts = 1...64

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    // The default is the machine's, so that no document can have it.
    var counts = SettingValues<Int>.integer(Self.threadCounts, .threads)
    counts.written = { _ in nil }
    try reader.required(
      "socket", &socket, .section(SocketSettings()), reload: .needsRestart, "where the daemon answers")
    try reader.optional(
      "tcp", &tcp, .section(TCPSettings()), without: "none", reload: .needsRestart,
      "a listener on the loopback interface, for health and metrics")
    try reader.optional(
      "inspector", &inspector, .inspector, without: "off", reload: .needsRestart,
      "where a support desk has refusals explained: 127.0.0.1:PORT, [::1]:PORT or the path of a socket of its own")
    try reader.optional(
      "threads", &threads, counts, without: "one for each processor",
      reload: .needsRestart, "how many threads answer requests")
    try reader.required(
      "keys", &keys, .list(of: .filePath, least: 1),
      "trusted public keys: a PEM or DER file, a certificate, a JKS keystore, or a folder of them")
    try reader.optional(
      "allowRSA1024", &allowRSA1024, .set(of: .fingerprint), without: "none",
      "keys of less than 2048 bits that are trusted all the same, such as Adobe's, by their fingerprints")
    try reader.required(
      "replay", &replay, .section(ReplaySettings()), reload: .needsRestart, "what remembers used tokens")
    try reader.required(
      "tenants", &tenants, .list(of: .section(TenantSettings()), least: 1), "the requestors that are served")
    try reader.optional(
      "peers", &peers, .section(PeerSettings()), reload: .needsRestart, "who may connect to the socket")
    try reader.optional(
      "auth", &auth, .section(AuthSettings()), without: "off",
      "the endpoint for proxies; without it /v1/auth is 404")
    try reader.optional(
      "requestIDHeader", &requestIDHeader, .header, without: "none",
      "the header with the caller's own id of a request; a proxy must set or overwrite it")
    try reader.optional("limits", &limits, .section(SizeLimits()), "how much a caller may send")
    try reader.optional(
      "deadlines", &deadlines, .section(Deadlines()), reload: .needsRestart, "how long things may take")
    try reader.optional("log", &log, .section(LogSettings()), "what is logged of verdicts")
    try reader.optional(
      "viewerTag", &viewerTag, .section(ViewerTagSettings()), without: "none",
      "pseudonyms of viewers' accounts in answers and log lines")
    try reader.optional(
      "$schema", &schema, .anyText("a path or an address"), without: "none",
      "where an editor finds the JSON Schema of this file; the daemon does not read it")
  }

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

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.optional(
      "bodyBytes", &bodyBytes, .integer(4096...(256 * 1024), .bytes), "the longest body of a request")
    try reader.optional(
      "headBytes", &headBytes, .integer(1024...(16 * 1024), .bytes), reload: .needsRestart,
      "the longest head of a request: request line and headers")
    try reader.optional(
      "connections", &connections, .integer(1...1_000_000, .connections), reload: .needsRestart,
      "the most connections at once")
  }
}

/// Times in milliseconds.
package struct Deadlines: SettingSection {
  var requestMilliseconds: Int64 = 10_000
  /// Longer than nginx keeps a connection (60 s), so that nginx closes it.
  var idleMilliseconds: Int64 = 75_000
  package var drainMilliseconds: Int64 = 20_000

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    let spans = SettingValues<Int64>.integer(100...600_000, .milliseconds)
    try reader.optional(
      "requestMilliseconds", &requestMilliseconds, spans,
      "how long a request may take from its first byte until its answer is written")
    try reader.optional(
      "idleMilliseconds", &idleMilliseconds, spans, "how long a connection may be silent between requests")
    try reader.optional(
      "drainMilliseconds", &drainMilliseconds, spans, "how long requests may go on after SIGTERM")
  }
}

/// The log.
package struct LogSettings: SettingSection {
  var verdicts = LoggedVerdicts.refused
  var linesPerSecond = 20

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.optional(
      "verdicts", &verdicts, .word, "which verdicts get a line; refused means rejections and faults")
    try reader.optional(
      "linesPerSecond", &linesPerSecond, .integer(1...100_000, .lines),
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

  mutating func settings(_ reader: inout SettingReader) throws(Problem) {
    try reader.required(
      "key", &key, .filePath,
      "the file with the key of the HMAC, 64 to 128 hexadecimal digits, mode 0600 or 0640; for nothing else")
    // Up to 31 days: a name that an account keeps for longer is hardly a pseudonym.
    try reader.required(
      "rotateHours", &rotateHours, .integer(1...744, .hours),
      "for how long an account keeps its pseudonym; the same on all hosts")
  }
}
