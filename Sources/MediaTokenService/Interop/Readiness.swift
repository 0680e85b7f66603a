internal import CLinux
internal import Glibc
internal import SystemCalls

/// Waits for listeners and silent connections, and can be woken (epoll(7), eventfd(2)).
final class Readiness: Sendable {
  private let epoll: Int32
  private let waker: Int32

  init() throws(SystemFailure) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw SystemFailure(code: errno) }
    let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard waker >= 0 else {
      let code = errno
      _ = close(epoll)
      throw SystemFailure(code: code)
    }
    (self.epoll, self.waker) = (epoll, waker)
    try add(waker)
  }

  deinit {
    _ = close(waker)
    _ = close(epoll)
  }

  /// Begins to wait for a descriptor too.
  func add(_ descriptor: Int32) throws(SystemFailure) {
    guard mediatoken_epoll_add(epoll, descriptor) == 0 else { throw SystemFailure(code: errno) }
  }

  /// Does not wait for a descriptor any more.
  func remove(_ descriptor: Int32) { mediatoken_epoll_remove(epoll, descriptor) }

  /// Waits until a descriptor is ready, somebody calls ``wake()``, or time is up; nil waits for ever.
  ///
  /// - Parameter ready: the descriptors that are, one turn's worth of them.
  func wait(milliseconds: Int32?, ready: inout [Int32]) {
    var room = InlineArray<64, Int32>(repeating: -1)
    var output = room.mutableSpan
    // SAFETY: there is room for as many descriptors as the adapter writes.
    let found = unsafe output.withUnsafeMutableBufferPointer {
      unsafe mediatoken_epoll_wait(epoll, $0.baseAddress, milliseconds ?? -1)
    }
    ready.removeAll(keepingCapacity: true)
    for index in 0..<Int(found) where room[index] != waker { ready.append(room[index]) }
    guard ready.count < Int(found) else { return }
    var count = eventfd_t()
    // SAFETY: eventfd_read writes one number.
    _ = unsafe eventfd_read(waker, &count)
  }

  /// Ends the current or the next ``wait(milliseconds:)``; from any thread.
  func wake() { _ = eventfd_write(waker, 1) }
}
