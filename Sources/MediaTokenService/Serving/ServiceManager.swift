internal import MediaTokenSystem

/// The service manager that started us, if there is one: sd_notify(3) without its library, one datagram per message. Its socket
/// is made at the start: so the watchdog is served even when no descriptor is left.
package struct ServiceManager: Sendable {
  private let sender: DatagramSender?
  private let wantsPings: Bool
  private var shownStatus = ""

  /// Reads the environment: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` with `WATCHDOG_PID`.
  package init() {
    let address = CurrentProcess.variable("NOTIFY_SOCKET").flatMap(Self.address)
    sender = address.flatMap { try? DatagramSender(to: $0) }
    let process = CurrentProcess.variable("WATCHDOG_PID").map { String(decoding: $0, as: UTF8.self) }
    wantsPings =
      CurrentProcess.variable("WATCHDOG_USEC") != nil && (process == nil || process == "\(CurrentProcess.id)")
  }

  /// A path in the file system, or an abstract name after an @, which is a NUL byte in the address; nil for anything else.
  private static func address(_ text: [UInt8]) -> [UInt8]? {
    guard text.count <= DatagramSender.longestAddress else { return nil }
    switch text.first {
    case UInt8(ascii: "/"): return text
    case UInt8(ascii: "@"): return [0] + text.dropFirst()
    default: return nil
    }
  }

  /// Requests are answered.
  ///
  /// - Parameter status: one line for people, as in ``show(_:)``.
  package mutating func ready(_ status: String) {
    shownStatus = status
    send("READY=1\nSTATUS=\(status)\n")
  }

  /// Whether tokens are played, in one line for people. Said again only when it has changed.
  package mutating func show(_ status: String) {
    guard status != shownStatus else { return }
    shownStatus = status
    send("STATUS=\(status)\n")
  }

  /// The configuration is read again; ``ready()`` follows.
  package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now / 1000)\n") }

  /// No new work is taken.
  package func stopping() { send("STOPPING=1\nSTATUS=finishing requests\n") }

  /// The main thread is alive, if the manager watches it.
  package func ping() {
    if wantsPings { send("WATCHDOG=1\n") }
  }

  private func send(_ message: String) {
    sender?.send(Array(message.utf8))
  }
}
