internal import CLinux
internal import Glibc

/// The service manager that started us, if there is one: sd_notify(3) without its library, one datagram a message.
package struct ServiceManager: Sendable {
  private let path: [UInt8]?
  private let wantsPings: Bool

  /// Reads the environment: `NOTIFY_SOCKET`, and `WATCHDOG_USEC` with `WATCHDOG_PID`.
  package init() {
    let path = Self.variable("NOTIFY_SOCKET")
    // A path in the file system, or an abstract name behind an @.
    let isUsable =
      path.map { [UInt8(ascii: "/"), UInt8(ascii: "@")].contains($0.first) && $0.count <= 107 } ?? false
    self.path = isUsable ? path : nil
    let process = Self.variable("WATCHDOG_PID").map { String(decoding: $0, as: UTF8.self) }
    wantsPings = Self.variable("WATCHDOG_USEC") != nil && (process == nil || process == "\(getpid())")
  }

  /// Requests are answered.
  package func ready() { send("READY=1\nSTATUS=answering requests\n") }

  /// The configuration is read anew; ``ready()`` follows.
  package func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now / 1000)\n") }

  /// No new work is taken.
  package func stopping() { send("STOPPING=1\nSTATUS=finishing requests\n") }

  /// The main thread is alive, if the manager wants to know.
  package func ping() {
    if wantsPings { send("WATCHDOG=1\n") }
  }

  private func send(_ message: String) {
    guard let path else { return }
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { _ = close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // An abstract name begins with a NUL byte in place of the @, and its length ends it.
    let name = path.first == UInt8(ascii: "@") ? [0] + path.dropFirst() : path
    let length = socklen_t(MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + socklen_t(name.count)
    let text = Array(message.utf8)
    // SAFETY: the name is at most 107 bytes long, the room has 108 zeros; sendto reads the address inside the call.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        // Nobody there, or nobody who reads: the manager's loss.
        _ = unsafe sendto(descriptor, text, text.count, Self.noSignal, address, length)
      }
    }
  }

  private static let noSignal = Int32(MSG_NOSIGNAL)

  private static func variable(_ name: String) -> [UInt8]? {
    // SAFETY: getenv's text lives until the environment changes, and is copied before.
    guard let text = unsafe getenv(name) else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    return bytes.isEmpty ? nil : bytes
  }
}
