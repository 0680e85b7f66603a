internal import MediaToken
internal import MediaTokenJSON
internal import MediaTokenMemories
internal import MediaTokenSystem

/// Reads the configuration's file: strict JSON, in which everything is known and everything is checked.
package enum ConfigurationFile {
  /// The configuration in a file that only root and we may change.
  ///
  /// - Throws: ``ConfigurationError``, which names the file, the line and the key.
  package static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    let bytes: [UInt8]
    do throws(KeyError) {
      bytes = try TrustedFile.contents(path)
    } catch {
      throw ConfigurationError(error.description)
    }
    do throws(ConfigurationError) {
      return try parse(bytes.span)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The configuration in a text.
  static func parse(_ text: Span<UInt8>) throws(ConfigurationError) -> Configuration {
    let json: LocatedJSON
    do throws(JSONError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw ConfigurationError(line: error.line, error.sentence)
    }
    return try configuration(ConfigurationObject(json, at: "", keys: keys))
  }

  private static let keys = [
    "socket", "tcp", "threads", "keys", "allowRSA1024", "replay", "tenants", "peers", "auth", "requestIDHeader",
    "limits", "deadlines", "log",
  ]

  private static func configuration(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration {
    let keys = try file.required("keys", try file.strings("keys"), "an array of key files and folders")
    guard !keys.isEmpty else { throw file.error("keys", "expected at least one key file or folder, found none") }
    for path in keys {
      _ = try file.checked("keys") { () throws(SettingProblem) in try SettingChecks.filePath(path) }
    }
    let tenants = try TenantSection.tenants(file)
    var configuration = Configuration(
      socket: try socket(file), tcp: try tcp(file),
      threads: try Int(file.integer("threads", in: 1...64) ?? Int64(min(64, CurrentProcess.processors))),
      keys: keys,
      allowRSA1024: try consents(file), replay: try ReplaySection.replay(file), tenants: tenants)
    configuration.peers = try peers(file)
    configuration.auth = try AuthSection.auth(file, tenants)
    configuration.limits = try limits(file)
    configuration.deadlines = try deadlines(file)
    let (wait, limit) = (
      configuration.replay.fleet.deadlineMilliseconds, configuration.deadlines.requestMilliseconds
    )
    guard !configuration.replay.isFleet || Int64(wait) < limit else {
      throw file.error(
        "deadlines.requestMilliseconds",
        "expected more than the \(wait) of replay.fleet.deadlineMilliseconds, for which a request waits, found \(limit)"
      )
    }
    configuration.log = try log(file)
    if let name = try file.string("requestIDHeader") {
      configuration.requestIDHeader = try file.checked("requestIDHeader") { () throws(SettingProblem) in
        try SettingChecks.header(name)
      }
    }
    guard configuration.replay.retryWindowMilliseconds == 0 || configuration.requestIDHeader != nil else {
      throw file.error(
        "replay.retryWindowMilliseconds",
        "expected requestIDHeader with a retry window: without it nobody can repeat a request")
    }
    return configuration
  }

  private static func socket(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.Socket {
    let object = try file.required(
      "socket", try file.object("socket", keys: ["path", "mode", "owner", "group"]),
      "an object with the socket's path")
    let path = try object.required("path", try object.string("path"), "the socket's path")
    var socket = Configuration.Socket(
      path: ExactText(
        try object.checked("path") { () throws(SettingProblem) in try SettingChecks.socketPath(path) }))
    if let mode = try object.string("mode") {
      socket.mode = try object.checked("mode") { () throws(SettingProblem) in try SettingChecks.mode(mode) }
    }
    socket.owner = try AccountSection.id("owner", object, named: Accounts.userID, "user")
    socket.group = try AccountSection.id("group", object, named: Accounts.groupID, "group")
    return socket
  }

  private static func tcp(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.TCP? {
    guard let object = try file.object("tcp", keys: ["address", "port", "mayVerify"]) else { return nil }
    let address = try object.required("address", try object.string("address"), "an address such as 127.0.0.1")
    let port = try object.required("port", try object.integer("port", in: 1...65535), "a port")
    return Configuration.TCP(
      address: try object.checked("address") { () throws(SettingProblem) in try SettingChecks.loopback(address) },
      port: UInt16(port), mayVerify: try object.boolean("mayVerify") ?? false)
  }

  private static func consents(_ file: ConfigurationObject) throws(ConfigurationError) -> Set<Fingerprint> {
    var consents: Set<Fingerprint> = []
    for text in try file.strings("allowRSA1024") ?? [] {
      consents.insert(
        try file.checked("allowRSA1024") { () throws(SettingProblem) in try SettingChecks.fingerprint(text) })
    }
    return consents
  }

  private static func peers(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.Peers {
    guard let object = try file.object("peers", keys: ["allowUIDs", "allowGIDs"]) else {
      return Configuration.Peers()
    }
    return Configuration.Peers(
      allowUIDs: try AccountSection.ids("allowUIDs", object, named: Accounts.userID, "user"),
      allowGIDs: try AccountSection.ids("allowGIDs", object, named: Accounts.groupID, "group"))
  }

  private static func limits(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.SizeLimits {
    var limits = Configuration.SizeLimits()
    let keys = ["bodyBytes", "batchBytes", "batchLines", "headBytes", "connections"]
    guard let object = try file.object("limits", keys: keys) else { return limits }
    func limit(_ key: String, _ least: Int, _ greatest: inout Int) throws(ConfigurationError) {
      greatest = Int(try object.integer(key, in: Int64(least)...Int64(greatest)) ?? Int64(greatest))
    }
    try limit("bodyBytes", 4096, &limits.bodyBytes)
    try limit("batchBytes", 4096, &limits.batchBytes)
    try limit("batchLines", 1, &limits.batchLines)
    try limit("headBytes", 1024, &limits.headBytes)
    limits.connections = Int(try object.integer("connections", in: 1...1_000_000) ?? Int64(limits.connections))
    return limits
  }

  private static func deadlines(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.Deadlines {
    var deadlines = Configuration.Deadlines()
    let keys = ["requestMilliseconds", "idleMilliseconds", "drainMilliseconds"]
    guard let object = try file.object("deadlines", keys: keys) else { return deadlines }
    func deadline(_ key: String, _ value: inout Int64) throws(ConfigurationError) {
      value = try object.integer(key, in: 100...600_000) ?? value
    }
    try deadline("requestMilliseconds", &deadlines.requestMilliseconds)
    try deadline("idleMilliseconds", &deadlines.idleMilliseconds)
    try deadline("drainMilliseconds", &deadlines.drainMilliseconds)
    return deadlines
  }

  private static func log(_ file: ConfigurationObject) throws(ConfigurationError) -> Configuration.LogSettings {
    var settings = Configuration.LogSettings()
    guard let object = try file.object("log", keys: ["verdicts", "linesPerSecond"]) else { return settings }
    settings.verdicts =
      try object.word("verdicts", of: Configuration.LoggedVerdicts.self) ?? settings.verdicts
    settings.linesPerSecond =
      try object.integer("linesPerSecond", in: 1...100_000).map { Int($0) } ?? settings.linesPerSecond
    return settings
  }
}
