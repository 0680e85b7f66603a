/// A fleet whose node is a database, as operators write it after `postgres:`: its name, the members of one cluster in the order in which
/// they are tried, and the database.
///
/// `FLEET@HOST[:PORT][,HOST[:PORT]…]/DATABASE`, nothing escaped. In place of a host there may be the absolute path of the folder
/// with the server's socket.
package struct PostgresAddress: Sendable, Hashable {
  /// Fleets of different names share nothing.
  package let name: String
  /// The text after the name, as it is written.
  let place: String
  let members: [Member]
  let database: String

  struct Member: Sendable, Hashable {
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
    var members: [Member] = []
    for part in place[..<slash].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let number = members.count + 1
      guard let member = Self.member(Substring(part)) else { throw .memberAddress(number) }
      if let earlier = members.firstIndex(of: member) { throw .sameNode(earlier + 1, number) }
      members.append(member)
    }
    (self.name, self.place, self.members, self.database) = (name, String(Substring(place)), members, database)
  }

  private static func member(_ text: Substring) -> Member? {
    guard text.utf8.first == UInt8(ascii: "/") else {
      return FleetAddress.hostAndPort(text, usualPort: 5432).map { Member(host: $0.host, port: $0.port) }
    }
    let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count <= 2, let port = parts.count == 1 ? 5432 : FleetAddress.port(parts[1]),
      let folder = String(parts[0]), !folder.utf8.contains(0), !folder.utf8.contains(UInt8(ascii: "?")),
      !folder.utf8.contains(UInt8(ascii: "@"))
    else { return nil }
    let member = Member(host: folder, port: port)
    // What a `sockaddr_un` holds besides its last zero (unix(7)).
    return (member.socketPath?.utf8.count ?? 0) <= 107 ? member : nil
  }

  var isLocal: Bool { members.allSatisfy { $0.socketPath != nil } }
}
