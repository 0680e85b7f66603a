/// A fleet of Redis or Valkey processes as operators write it after `redis:`: its name, and its nodes, in an order that all
/// hosts share.
///
/// `FLEET@NODE,NODE,…`, nothing escaped. A node is `HOST:PORT`, `[IPv6]:PORT` or the absolute path of a UNIX socket.
package struct RedisAddress: Sendable, Hashable {
  /// Fleets of different names share nothing.
  package let name: String
  /// One, or three to seven. Two would be no better than one: both would have to agree, so the loss of either stops them.
  package let nodes: [NodeAddress]

  /// The numbers of nodes that a fleet may have.
  static let nodeCounts = [1, 3, 4, 5, 6, 7]

  package init(_ text: String) throws(Problem) {
    let (name, places) = try FleetAddress.parts(of: text)
    var nodes: [NodeAddress] = []
    for part in places.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      let number = nodes.count + 1
      guard let node = NodeAddress(String(part) ?? "") else { throw .nodeAddress(number) }
      if let earlier = nodes.firstIndex(where: { $0.place == node.place }) {
        throw .sameNode(earlier + 1, number)
      }
      nodes.append(node)
    }
    guard Self.nodeCounts.contains(nodes.count) else { throw .nodeCount(nodes.count) }
    (self.name, self.nodes) = (name, nodes)
  }
}

package struct NodeAddress: Sendable, Hashable {
  /// As it is written; all hosts of a fleet must write it the same way.
  package let text: ExactText
  /// The same, read.
  let place: Place

  package enum Place: Sendable, Hashable {
    /// A host name or an address without brackets, in lower case, and a port.
    case network(host: String, port: UInt16)
    /// The absolute path of a UNIX socket.
    case local(path: String)
  }

  fileprivate init?(_ text: String) {
    self.text = ExactText(text)
    if text.utf8.first == UInt8(ascii: "/") {
      // What a `sockaddr_un` holds besides its last zero (unix(7)).
      guard text.utf8.count <= 107, !text.utf8.contains(0), !text.utf8.contains(UInt8(ascii: "?")) else {
        return nil
      }
      place = .local(path: text)
    } else {
      guard let (host, port) = FleetAddress.hostAndPort(text[...], usualPort: nil) else { return nil }
      place = .network(host: host, port: port)
    }
  }
}
