internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

/// `mediatokend init`, or `--init`: writes a first configuration, as `deploy` has one for each proxy, for other names.
enum InitCommand {
  /// The program that asks before it plays.
  enum Asker: String, CaseIterable {
    /// A back end, at `/v1/verify`.
    case none
    case nginx, caddy, haproxy, envoy

    /// The header with the path, and the one with the method; Envoy sends the request itself.
    fileprivate var headers: [(key: String, header: String)] {
      switch self {
      case .none, .envoy: []
      case .nginx, .haproxy: [("uriHeader", "X-Original-URI"), ("methodHeader", "X-Original-Method")]
      case .caddy: [("uriHeader", "X-Forwarded-Uri"), ("methodHeader", "X-Forwarded-Method")]
      }
    }

    /// The file of the proxy that has a line for each route, in its map of scopes; nil: none has.
    fileprivate var scopes: String? {
      switch self {
      case .none, .haproxy, .envoy: nil
      case .nginx: "mediatoken.conf"
      case .caddy: "segments.conf"
      }
    }

    /// The credential's format, the setting of its key, and the command that makes the key.
    fileprivate var handover: (format: String, key: String, make: String)? {
      switch self {
      case .none: nil
      case .nginx, .caddy: ("nginx-secure-link", "/etc/mediatoken/handover.key", "openssl rand -hex 32")
      case .haproxy, .envoy:
        (
          "jwt-es256", "/etc/mediatoken/handover.pem",
          "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256"
        )
      }
    }
  }

  static let requestor = Option("requestor", plainName(.requestor), "with --init: the requestor that is served")
  static let resources = Option("resource", each: plainName(.resource), "with --init: a resource that is played")
  static let proxy = Option(
    "proxy", .words(Asker.self), default: Asker.none, "with --init: what asks: a proxy, or a back end by itself")
  static let keys = Option(
    "keys", plainPath(.path), described: "/etc/mediatoken/keys",
    "with --init: the trusted public key, or a folder of them")
  static let handoverKey = Option(
    "handover-key", plainPath(.file),
    "with --init and nginx or caddy: also make the key of the credentials that they check, in this file")
  static let out = Option("out", .text(.file), described: "mediatokend.json", "with --init: the file to write")

  /// They go with `--init` alone.
  static let options: [any CommandOption] = [requestor, resources, proxy, keys, handoverKey, out]

  /// Names that need no quotation marks in JSON, in a path and in a shell.
  private static func plainName(_ kind: TextKind) -> Form<String> {
    .text(kind, isNot: "one of letters, digits, - and _", cure: "write such a name into the file by hand") { name in
      let isPlain = name.utf8.allSatisfy { byte in
        UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80 || (0x30...0x39).contains(byte) || byte == 0x2D
          || byte == 0x5F
      }
      return isPlain ? name : nil
    }
  }

  /// A path that is the same in JSON.
  private static func plainPath(_ kind: TextKind) -> Form<String> {
    .text(kind, isNot: "a plain path", cure: "write it into the file by hand") { path in
      DisplayText.escaped(path) == path ? path : nil
    }
  }

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let (requestor, resources) = (try arguments.required(requestor), try arguments[resources])
    let (asker, file) = (try arguments[proxy], try arguments[out] ?? "mediatokend.json")
    // The daemon looks for it wherever it is started.
    let keys = SystemCall.absolute(try arguments[keys] ?? "/etc/mediatoken/keys")
    guard !resources.isEmpty || asker == .none else {
      throw arguments.usage("\(Self.resources.usage) is missing: a proxy has a route for each")
    }
    let handoverKey = try arguments[handoverKey].map(SystemCall.absolute)
    guard handoverKey == nil || asker == .nginx || asker == .caddy else {
      throw arguments.usage("\(Self.handoverKey.usage) goes only with \(proxy.name) nginx and caddy")
    }
    try write(configuration(requestor, resources, asker, keys, handoverKey), to: file, mode: 0o644)
    do throws(Problem) {
      if let handoverKey { try writeKey(to: handoverKey) }
    } catch {
      try? SystemCall.unlink(file)
      throw error
    }
    let made = [file, handoverKey].compactMap { $0 }.map { "file: \(DisplayText.escaped($0))\n" }.joined()
    try StandardOutput.write(made + scopes(resources, asker) + next(asker, keys, handoverKey, file))
    return ExitStatus.done
  }

  /// The path of a resource.
  private static func prefix(_ resource: String) -> String { "/live/\(resource.lowercased())" }

  /// The lines of the proxy's own file that belong to these routes.
  private static func scopes(_ resources: [String], _ asker: Asker) -> String {
    guard let file = asker.scopes else { return "" }
    let lines = resources.map { "map:   \"~^\(prefix($0))/\" \(prefix($0))/;\n" }
    return "map: in \(file) these are the lines of the map $media_scope\n" + lines.joined()
  }

  private static func write(_ text: String, to file: String, mode: UInt32) throws(Problem) {
    try rethrow(NewFile.write(text.utf8Span.span, to: file, mode: mode)) { (error: SystemError) in
      Problem(
        DisplayText.escaped(file), "cannot be written: \(error.description)",
        cure: error == .exists ? "nothing is overwritten: move it away, or choose another name" : nil)
    }
  }

  /// 32 random bytes, which the service's group may read where there is one.
  private static func writeKey(to file: String) throws(Problem) {
    var kernel = SystemRandomNumberGenerator()
    let digits = (0..<64).map { _ in Hexadecimal.digit(UInt8.random(in: 0...15, using: &kernel)) }
    try write(String(decoding: digits, as: UTF8.self) + "\n", to: file, mode: 0o640)
    if CurrentProcess.effectiveUserID == 0, let group = Accounts.groupID(ofName: Program.serviceUser) {
      try? SystemCall.setOwner(ofLinkAt: file, user: nil, group: group)
    }
  }

  private static func configuration(
    _ requestor: String, _ resources: [String], _ asker: Asker, _ keys: String, _ handoverKey: String?
  ) -> String {
    let listed = resources.map { "\"\($0)\"" }.joined(separator: ", ")
    // With routes each of them has its resource.
    let tenant = asker == .none && !resources.isEmpty ? ", \"resources\": [\(listed)]" : ""
    return """
      {
        "$schema": "/usr/share/mediatoken/mediatokend.schema.json",
        "socket": {"path": "/run/mediatokend/mediatokend.sock", "mode": "0660"},
        "keys": ["\(keys)"],
        "replay": {
          "address": "shared:/var/lib/mediatoken/replay.table?capacity=1000000",
          "retryWindowMilliseconds": 2000
        },
        "requestIDHeader": "X-Request-ID",
        "tenants": [{"requestor": "\(requestor)"\(tenant)}]\(auth(requestor, resources, asker, handoverKey))
      }

      """
  }

  private static func auth(
    _ requestor: String, _ resources: [String], _ asker: Asker, _ handoverKey: String?
  ) -> String {
    guard let (format, usual, _) = asker.handover else { return "" }
    let key = handoverKey ?? usual
    let headers = (asker.headers + [("tokenHeader", "X-Media-Token")]).map { "    \"\($0)\": \"\($1)\",\n" }
    let routes = resources.map { resource in
      let prefix = prefix(resource)
      return """
              {
                "prefix": "\(prefix)", "requestor": "\(requestor)", "resource": "\(resource)",
                "handover": {"format": "\(format)", "key": "\(key)", "lifeSeconds": 14400, "path": "\(prefix)/"}
              }
        """
    }
    let all = routes + ["      {\"prefix\": \"/trailers\", \"unprotected\": true}"]
    return ",\n  \"auth\": {\n\(headers.joined())    \"routes\": [\n\(all.joined(separator: ",\n"))\n    ]\n  }"
  }

  /// The commands to type as root after this.
  private static func next(_ asker: Asker, _ keys: String, _ handoverKey: String?, _ file: String) -> String {
    let place = "/etc/mediatoken/mediatokend.json"
    var commands = ["mediatoken keys list --keys \(DisplayText.shellWord(Array(keys.utf8)))"]
    if handoverKey == nil, let (_, key, make) = asker.handover {
      commands.append("install -m 640 -g mediatokend /dev/null \(key) && \(make) >\(key)")
    }
    if file != place { commands.append("install -m 644 \(DisplayText.shellWord(Array(file.utf8))) \(place)") }
    commands += [
      "mediatokend --check-config --config \(place)",
      "systemctl enable --now mediatokend.socket mediatokend.service && systemctl reload-or-restart mediatokend",
    ]
    return commands.map { "next: \($0)\n" }.joined()
  }
}
