internal import MediaTokenSystem

/// Finds the addresses of a node's host on a thread of its own, as a name server may take seconds.
///
/// A lookup whose result no connection wants any more ends by itself.
final class NameLookup: Sendable {
  private let found: Monitor<[SocketAddress]?>

  /// The poller is woken at the end.
  init(_ host: String, port: UInt16, waking poller: Poller) throws(SystemError) {
    let found = Monitor<[SocketAddress]?>(nil)
    self.found = found
    try WorkerThread {
      let addresses = SocketAddress.lookUp(host, port: port, isNumeric: false)
      found.exchange(for: addresses)
      poller.wake()
    }.detach()
  }

  /// Empty if the name has none; nil until they are known.
  var addresses: [SocketAddress]? { found.current }
}
