internal import MediaTokenSystem

/// Looks hosts up, on threads of their own, because a name service may hang. One at a time for each host, so that it does not get
/// another thread for each try.
final class NameQueue: Sendable {
  private let busy = Monitor<Set<String>>([])

  /// The addresses of a host, in the order in which they are to be tried; none if it has no address, or none is known by
  /// then.
  func addresses(of host: String, port: UInt16, within timeout: Timeout) -> [SocketAddress] {
    let numeric = SocketAddress.lookUp(host, port: port, isNumeric: true)
    guard numeric.isEmpty, takesTurn(host, timeout) else { return numeric }
    let found = Monitor<[SocketAddress]?>(nil)
    let thread = try? WorkerThread { [busy] in
      let addresses = SocketAddress.lookUp(host, port: port, isNumeric: false)
      busy.change { _ = $0.remove(host) }
      found.change { $0 = addresses }
    }
    guard let thread else {
      busy.change { _ = $0.remove(host) }
      return []
    }
    thread.detach()
    found.wait(atMostMilliseconds: timeout.left) { $0 != nil }
    return found.current ?? []
  }

  private func takesTurn(_ host: String, _ timeout: Timeout) -> Bool {
    while true {
      if busy.change({ $0.insert(host).inserted }) { return true }
      guard timeout.left > 0 else { return false }
      busy.wait(atMostMilliseconds: timeout.left) { !$0.contains(host) }
    }
  }
}
