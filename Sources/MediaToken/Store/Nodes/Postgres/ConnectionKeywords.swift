internal import CLibPQ
internal import MediaTokenSystem

/// The keywords of libpq for a connection: every one that it would otherwise take from the environment, from a service
/// file, or from files in the user's home.
package enum ConnectionKeywords {
  /// A credentials file may have these.
  private static let fromFile = [
    "user", "password", "sslmode", "sslrootcert", "sslcert", "sslkey", "channel_binding",
  ]

  /// For messages.
  static let names = fromFile.joined(separator: ", ")

  /// The certificates that Debian trusts (package ca-certificates).
  private static let systemCertificates = "/etc/ssl/certs/ca-certificates.crt"
  /// A text that is empty would be taken from the environment.
  static let noPassword = "none"
  /// A file that can't be there: libpq then goes on without one.
  private static let noFile = "/dev/null/none"

  static func accepts(_ keyword: String, _ value: String) -> Bool {
    switch keyword {
    case "user", "password": true
    case "sslmode": ["disable", "prefer", "require", "verify-ca", "verify-full"].contains(value)
    case "channel_binding": ["disable", "prefer", "require"].contains(value)
    case "sslrootcert", "sslcert", "sslkey": value.hasPrefix("/")
    default: false
    }
  }

  /// The way in which the server is verified: in full, unless it is on this machine or the operator wrote otherwise.
  static func verification(_ credentials: [String: String], _ isLocal: Bool) -> String {
    credentials["sslmode"] ?? (isLocal ? "disable" : "verify-full")
  }

  /// Everything for one member. Its certificate is compared with its name, at whichever of its addresses it is connected to.
  static func all(
    _ member: PostgresAddress.Member, at address: SocketAddress? = nil, database: String,
    _ credentials: [String: String]
  ) -> [(name: String, value: String)] {
    let mode = verification(credentials, member.socketPath != nil)
    var values = [
      "host": member.host, "port": "\(member.port)", "dbname": database, "user": "mediatoken",
      "password": noPassword, "passfile": "/dev/null", "sslmode": mode,
      // With a file libpq would verify although it was told not to.
      "sslrootcert": mode.hasPrefix("verify-") ? systemCertificates : noFile, "sslcert": noFile, "sslkey": noFile,
      "sslcrl": noFile, "sslcrldir": noFile,
      "sslcompression": "0", "sslsni": "1", "ssl_min_protocol_version": "TLSv1.2",
      "ssl_max_protocol_version": "TLSv1.3",
      "channel_binding": "prefer", "gssencmode": "disable", "krbsrvname": "postgres", "gsslib": "gssapi",
      "target_session_attrs": "any", "application_name": "mediatoken", "client_encoding": "UTF8",
      "connect_timeout": "2", "tcp_user_timeout": "2000", "keepalives": "1", "keepalives_idle": "2",
      "keepalives_interval": "1", "keepalives_count": "3",
    ]
    // libpq would look the name up by itself, for as long as that takes.
    values["hostaddr"] = address?.number
    // Poolers of connections refuse this keyword, so it is given only where the environment has it.
    if isSet("PGOPTIONS") { values["options"] = " " }
    for (keyword, value) in credentials { values[keyword] = value }
    return values.map { (name: $0.key, value: $0.value) }
  }

  /// A variable of the environment that libpq would follow whatever it is told.
  static func variableInTheWay() -> String? {
    // To list them, libpq looks its user up, and may wait for a name service.
    if CurrentProcess.variables(beginningWith: Self.prefix).isEmpty { return nil }
    let member = PostgresAddress.Member(host: "none", port: 1)
    let given = Set(all(member, database: "none", [:]).map(\.name))
    // SAFETY: libpq allocates the list, which ends with a keyword of NULL, and frees it.
    guard let options = LibPQ.functions.PQconndefaults() else { return nil }
    defer { unsafe LibPQ.functions.PQconninfoFree(options) }
    var option = unsafe options
    while let keyword = unsafe option.pointee.keyword {
      if let variable = unsafe option.pointee.envvar.map({ unsafe String(cString: $0) }),
        unsafe !given.contains(String(cString: keyword)), isSet(variable)
      {
        return variable
      }
      unsafe option += 1
    }
    return nil
  }

  /// Only before other threads start.
  package static func forgetEnvironment() {
    for variable in CurrentProcess.variables(beginningWith: prefix) { CurrentProcess.removeVariable(variable) }
  }

  /// The beginning of the names of libpq's variables (PostgreSQL, "Environment Variables").
  private static let prefix: StaticString = "PG"

  private static func isSet(_ variable: String) -> Bool { CurrentProcess.variable(variable) != nil }
}
