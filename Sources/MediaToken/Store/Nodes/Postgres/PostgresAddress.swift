/// A fleet whose seat is a database, as operators write it after `postgres:`: its name, the nodes of one cluster in the order in which
/// they are tried, and the database.
///
/// `FLEET@HOST[:PORT][,HOST[:PORT]…]/DATABASE`, nothing escaped. In place of a host there may be the absolute path of the folder
/// with the server's socket.
package struct PostgresAddress: Sendable, Hashable {
  /// Fleets of different names share nothing.
  package let name: String
  /// The text after the name, as it is written.
  let place: String
  let nodes: [Node]
  let database: String

  struct Node: Sendable, Hashable {
    /// A host name, an address without brackets, or the absolute path of a folder.
    let host: String
    let port: UInt16

    /// The socket's path; nil for a host.
    var socketPath: String? { host.hasPrefix("/") ? "\(host)/.s.PGSQL.\(port)" : nil }
  }

  init(_ text: String) throws(Problem) {
    let (name, place) = try FleetAddress.parts(of: text)
    guard let slash = place.lastIndex(of: UInt8(ascii: "/")),
      let database = String(place[place.index(after: slash)...]), (1...63).contains(database.utf8.count),
      database.utf8.allSatisfy({ $0.isNameByte && $0 != UInt8(ascii: ".") })
    else { throw .databaseName }
    var nodes: [Node] = []
    for part in place[..<slash].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let number = nodes.count + 1
      guard let node = Self.node(Substring(part)) else { throw .nodeAddress(number) }
      if let earlier = nodes.firstIndex(of: node) { throw .sameSeat(earlier + 1, number) }
      nodes.append(node)
    }
    (self.name, self.place, self.nodes, self.database) = (name, String(Substring(place)), nodes, database)
  }

  private static func node(_ text: Substring) -> Node? {
    guard text.utf8.first == UInt8(ascii: "/") else {
      return FleetAddress.hostAndPort(text, usualPort: 5432).map { Node(host: $0.host, port: $0.port) }
    }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let port = parts.count == 1 ? 5432 : FleetAddress.port(parts[1]),
      let folder = String(parts[0]), !folder.utf8.contains(0), !folder.utf8.contains(UInt8(ascii: "?")),
      !folder.utf8.contains(UInt8(ascii: "@"))
    else { return nil }
    let node = Node(host: folder, port: port)
    // What a `sockaddr_un` holds besides its last zero (unix(7)).
    return (node.socketPath?.utf8.count ?? 0) <= 107 ? node : nil
  }

  var isLocal: Bool { nodes.allSatisfy { $0.socketPath != nil } }
}
