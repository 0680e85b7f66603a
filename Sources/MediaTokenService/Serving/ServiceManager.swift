internal import MediaTokenSystem

/// The service manager that started us, if there is one: sd_notify(3) without its library, one datagram per message. Its socket
/// is made at the start: so the watchdog is served even when no descriptor is left.
package struct ServiceManager: Sendable {
  private let sender: DatagramSender?
  private let wantsPings: Bool
  private var shownStatus = ""
  /// True while the manager is to be told that requests are answered.
  private var owesReady = false

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

  /// Requests are answered. The status is one line for people, as in ``show(_:)``.
  package mutating func ready(_ status: String) {
    owesReady = true
    show(status)
  }

  /// One line for people about whether tokens are played. Said again only when it has changed, or was lost: a manager
  /// that does not hear that a service is ready ends it, and at boot it may have more messages than its socket holds.
  package mutating func show(_ status: String) {
    guard owesReady || status != shownStatus else { return }
    guard send("\(owesReady ? "READY=1\n" : "")STATUS=\(status)\n") else { return }
    (owesReady, shownStatus) = (false, status)
  }

  /// The configuration is read again; ``ready()`` follows.
  package func reloading() { _ = send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now / 1000)\n") }

  package func stopping() { _ = send("STOPPING=1\nSTATUS=finishing requests\n") }

  /// The main thread is alive, if the manager watches it.
  package func ping() {
    if wantsPings { _ = send("WATCHDOG=1\n") }
  }

  /// False if the message is lost. Without a manager none is.
  private func send(_ message: String) -> Bool { sender?.send(Array(message.utf8)) ?? true }
}
