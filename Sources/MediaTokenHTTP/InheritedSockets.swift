internal import MediaTokenSystem

/// Listeners that systemd made for us (sd_listen_fds(3)): their descriptors begin at 3.
package enum InheritedSockets {
  private static let first: Int32 = 3

  /// Call once, before other threads start: it changes the environment, so that children do not take the listeners for
  /// their own.
  package static func take() throws(ListenerError) -> [ListeningSocket] {
    let (process, count) = (number("LISTEN_PID"), number("LISTEN_FDS"))
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { CurrentProcess.removeVariable(name) }
    guard process == CurrentProcess.id, let count, count > 0 else { return [] }
    var listeners: [ListeningSocket] = []
    for descriptor in first..<(first + min(count, .max - first)) { listeners.append(try adopt(descriptor)) }
    return listeners
  }

  private static func number(_ name: String) -> Int32? {
    CurrentProcess.variable(name).flatMap { Int32(String(decoding: $0, as: UTF8.self)) }
  }

  static func adopt(_ descriptor: Int32) throws(ListenerError) -> ListeningSocket {
    let place = "inherited descriptor \(descriptor)"
    let listening = Sockets.listening(descriptor)
    guard listening != .other else { throw ListenerError(place, .notListening) }
    try ListenerError.at(place, "fcntl") { () throws(SystemError) in try Sockets.keepToOurselves(descriptor) }
    return ListeningSocket(owning: FileDescriptor(owning: descriptor), isLocal: listening == .local)
  }
}
