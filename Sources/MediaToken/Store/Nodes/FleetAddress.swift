/// A fleet as operators write it: its name, and its nodes. Two kinds of stores can be its nodes.
///
/// Nothing is escaped. The name has 1 to 32 of `a`–`z`, `0`–`9` and `-`.
package enum FleetAddress: Sendable, Hashable {
  /// `redis:FLEET@NODE,NODE,…`
  case redis(RedisAddress)
  /// `postgres:FLEET@HOST,…/DATABASE`
  case postgres(PostgresAddress)

  /// The text is what follows the scheme of an address. Nil for a scheme that is not a fleet's.
  package init?(scheme: String, _ text: String) throws(Problem) {
    switch scheme {
    case "redis": self = .redis(try RedisAddress(text))
    case "postgres": self = .postgres(try PostgresAddress(text))
    default: return nil
    }
  }

  /// Any other replay memory's address is an error.
  package init(_ text: String) throws(Problem) {
    guard case .fleet(let address) = try ReplayAddress(text) else { throw .notAFleet }
    self = address
  }

  /// For messages.
  package static let forms = "redis:FLEET@NODE,... or \(databaseForm)"
  /// For messages.
  package static let databaseForm = "postgres:FLEET@HOST/DATABASE"

  /// The text is what follows `redis:`.
  package init(redis text: String) throws(Problem) { self = .redis(try RedisAddress(text)) }

  /// Fleets of different names share nothing.
  package var name: String {
    switch self {
    case .redis(let address): address.name
    case .postgres(let address): address.name
    }
  }

  /// As they are written, in order.
  package var nodes: [String] {
    switch self {
    case .redis(let address): address.nodes.map(\.text.text)
    // The members of one cluster are one node: whichever is the primary.
    case .postgres(let address): [address.place]
    }
  }

  /// The votes that decide: more than half. Two such majorities share a node.
  package var votesNeeded: Int { nodes.count / 2 + 1 }

  /// The most file descriptors that a process's connections take: two connections to each node while one takes the other's place, and a
  /// poller; or those to a database, of three descriptors each, while each of its members is tried.
  package var descriptors: Int {
    switch self {
    case .redis(let address): 2 + 2 * address.nodes.count
    case .postgres(let address): 3 * (DatabaseLinks.threads + address.members.count)
    }
  }

  /// As many as most fleets take: seven nodes, or a cluster of three members.
  package static let usualDescriptors = 3 * (DatabaseLinks.threads + 3)

  /// The wait of a claim unless it is chosen, in milliseconds: a database's commits wait for disks and standbys.
  package var usualDeadlineMilliseconds: Int {
    switch self {
    case .redis: Int(Setting.deadline.standard)
    case .postgres: 250
    }
  }

  /// True if hosts maintain the node's data, which may be left alone for a grace.
  package var hasGrace: Bool { if case .postgres = self { true } else { false } }

  /// The text of the fleet's digest: the protocol's version, and all that its hosts must have in common.
  func digestLines(_ policy: FleetPolicy) -> [String] {
    let times = [
      policy.maxTTLMilliseconds, policy.futureToleranceMilliseconds, policy.expiryToleranceMilliseconds,
    ].map(\.description)
    switch self {
    case .redis: return ["mt2", name] + times + nodes
    // Members of a cluster come and go.
    case .postgres: return [NodeSchema.version, name] + times + ["\(policy.graceSeconds)"]
    }
  }
}

extension FleetAddress: CustomStringConvertible {
  /// As it is written.
  package var description: String {
    let scheme = if case .redis = self { "redis" } else { "postgres" }
    return "\(scheme):\(name)@\(nodes.joined(separator: ","))"
  }
}

// MARK: what both kinds have

extension FleetAddress {
  /// The name before the first `@`, and the text after it.
  static func parts(of text: String) throws(Problem) -> (name: String, places: Substring.UTF8View) {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let name = String(parts[0]), isName(name) else { throw .fleetName }
    return (name, parts[1])
  }

  private static func isName(_ name: String) -> Bool {
    (1...32).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
      }
  }

  /// `HOST:PORT` or `[IPv6]:PORT`: the host in lower case, without brackets. `usualPort` is for a text without a port; nil:
  /// there must be one.
  static func hostAndPort(_ text: Substring, usualPort: UInt16?) -> (host: String, port: UInt16)? {
    var (host, port) = (text, usualPort)
    // The last colon of an IPv6 address is inside its brackets.
    if let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), usualPort == nil || !text.hasSuffix("]") {
      host = text[..<colon]
      port = self.port(text.utf8[text.utf8.index(after: colon)...])
    }
    guard let port else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.utf8.contains(UInt8(ascii: ":")), host.utf8.allSatisfy(isInVersion6) else { return nil }
    } else {
      guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(\.isNameByte) else { return nil }
    }
    return (host.lowercased(), port)
  }

  /// 1 to 65535, without sign or leading zero.
  static func port(_ digits: Substring.UTF8View) -> UInt16? {
    guard digits.first != UInt8(ascii: "0"), digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return String(digits).flatMap { UInt16($0) }
  }

  private static func isInVersion6(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

/// The faults of a text that should be an address. They repeat nothing of the text: a password may be in it.
extension Problem {
  static let notAFleet = Problem("expected the address of a fleet, \(FleetAddress.forms), found another one")

  static let fleetName = Problem(
    "the fleet's name is not 1 to 32 lower-case letters, digits and hyphens",
    cure: "write redis:FLEET@NODE,NODE,NODE or postgres:FLEET@HOST/DATABASE")

  /// Nodes are counted from 1.
  static func nodeAddress(_ number: Int) -> Problem {
    Problem(
      "node \(number) is not an address",
      cure:
        "write HOST:PORT, [IPv6]:PORT or the absolute path of a UNIX socket, and put users and passwords into the credentials file"
    )
  }

  static func sameNode(_ one: Int, _ other: Int) -> Problem {
    Problem(
      "nodes \(one) and \(other) have the same address",
      cure: "each node is a process of its own, so give one of them another address")
  }

  static func nodeCount(_ count: Int) -> Problem {
    Problem("a fleet cannot have \(count) nodes", cure: "name 1, 3, 4, 5, 6 or 7 (4 or 5 are recommended)")
  }

  /// Members of a cluster are counted from 1.
  static func memberAddress(_ number: Int) -> Problem {
    Problem(
      "member \(number) is not an address",
      cure:
        "write HOST, HOST:PORT, [IPv6]:PORT or the absolute path of a folder of sockets, and put users and passwords into the credentials file"
    )
  }

  static let databaseName = Problem(
    "the database is missing, or its name has more than 63 bytes or others than letters, digits, - and _",
    cure: "write postgres:FLEET@HOST/DATABASE")
}
