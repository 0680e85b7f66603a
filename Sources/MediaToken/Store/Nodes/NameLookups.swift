internal import MediaTokenSystem

/// Looks up hosts of nodes, each on a thread of its own, because a name service may take seconds or hang. Who asks for one that is
/// being looked up shares what is found, so that no try of ours brings another thread. An engine has its own, because a child process
/// has none of its parent's threads.
final class NameLookups: Sendable {
  /// What is told at the end, by hosts and ports.
  private let waiting = Monitor<[String: [@Sendable ([SocketAddress]) -> Void]]>([:])

  private let lookUp: @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress]

  init(
    _ lookUp: @escaping @Sendable (_ host: String, _ port: UInt16) -> [SocketAddress] = {
      SocketAddress.lookUp($0, port: $1, isNumeric: false)
    }
  ) { self.lookUp = lookUp }

  /// `tell` is called at the end, on another thread, with the addresses in the order in which they are to be tried: none if the name has
  /// none. An error if there is no thread to spare.
  func begin(
    _ host: String, port: UInt16, tell: @escaping @Sendable ([SocketAddress]) -> Void
  ) throws(SystemError) {
    let name = "\(host):\(port)"
    let isUnderWay = waiting.change { all in
      defer { all[name, default: []].append(tell) }
      return all[name] != nil
    }
    guard !isUnderWay else { return }
    let end: @Sendable ([SocketAddress]) -> Void = { [waiting] addresses in
      for tell in waiting.change({ $0.removeValue(forKey: name) ?? [] }) { tell(addresses) }
    }
    do throws(SystemError) {
      try WorkerThread { [lookUp] in end(lookUp(host, port)) }.detach()
    } catch {
      end([])
      throw error
    }
  }
}
