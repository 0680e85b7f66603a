internal import MediaToken
internal import MediaTokenHTTP

/// A place where the daemon listens, by its setting.
struct ListeningPlace {
  let key: String
  /// As people write it.
  let text: String
  let open: () throws(ListenerError) -> ListeningSocket
}

extension Configuration {
  /// `leavesNothing`: they are only tried.
  func places(leavingNothing leavesNothing: Bool = false) -> [ListeningPlace] {
    func local(_ key: String, _ path: String, _ mode: UInt32, _ owner: UInt32?, _ group: UInt32?) -> ListeningPlace
    {
      var place = SocketPath(path: path, mode: mode, owner: owner, group: group)
      place.leavesNothing = leavesNothing
      return ListeningPlace(key: key, text: path) { [place] () throws(ListenerError) in
        try ListeningSocket.open(place)
      }
    }
    func loopback(_ key: String, _ address: String) -> ListeningPlace {
      ListeningPlace(key: key, text: address) { () throws(ListenerError) in
        try ListeningSocket.openLoopback(address)
      }
    }
    var places = [local("socket", socket.path.text, socket.mode, socket.owner, socket.group)]
    if let tcp { places.append(loopback("tcp", "\(tcp.address == "::1" ? "[::1]" : tcp.address):\(tcp.port)")) }
    if let inspector, let address = inspector.place {
      switch address {
      case .loopback: places.append(loopback("inspector", address.text))
      case .socket(let path):
        places.append(local("inspector", path.text, inspector.mode, inspector.owner, inspector.group))
      }
    }
    return places
  }
}

extension Problem {
  static func blaming(_ key: String) -> (ListenerError) -> Problem {
    { Problem.setting(key, $0.description) }
  }
}
