internal import CLinux
internal import Glibc

/// Waits for many descriptors at once (epoll(7), level-triggered), and can be woken from any thread (eventfd(2)).
package final class Poller: Sendable {
  private let epoll: Int32
  /// -1 if it is not woken.
  private let waker: Int32
  /// The waker's name among the events.
  private static let wakerToken = UInt64.max

  /// The events that a descriptor is waited for. The other side's end, and errors, are always reported.
  package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let reading = Interest(rawValue: EPOLLIN.rawValue)
    package static let writing = Interest(rawValue: EPOLLOUT.rawValue)
  }

  package struct Event: Sendable {
    /// The name that was given to ``Poller/add(_:_:as:)``.
    package let token: UInt64
    private let events: UInt32

    init(_ ready: mediatoken_ready) {
      token = ready.token
      events = ready.events
    }

    /// True if bytes, a connection or the end of a stream can be read.
    package var isReadable: Bool { events & EPOLLIN.rawValue != 0 }
    package var isWritable: Bool { events & EPOLLOUT.rawValue != 0 }
    /// True if the connection is over in both directions, or broken.
    package var isOver: Bool { events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
  }

  /// A descriptor for another poller: readable while ``wait(milliseconds:_:)`` would have something to tell. It is closed
  /// with this one.
  package var descriptor: Int32 { epoll }

  /// `isWoken`: ``wake()`` will be called. It takes a descriptor more.
  package init(isWoken: Bool = true) throws(SystemError) {
    let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw .last }
    guard isWoken else {
      (self.epoll, waker) = (epoll, -1)
      return
    }
    let waker = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard waker >= 0 else {
      let error = SystemError.last
      _ = close(epoll)
      throw error
    }
    (self.epoll, self.waker) = (epoll, waker)
    try add(waker, .reading, as: Self.wakerToken)
  }

  deinit {
    if waker >= 0 { _ = close(waker) }
    _ = close(epoll)
  }

  /// Begins to wait for a descriptor. Closing it ends that, if no other process or descriptor shares it. `token` is its
  /// name among the events, not `UInt64.max`.
  package func add(_ descriptor: Int32, _ interest: Interest, as token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_ADD, descriptor, interest, token)
  }

  package func change(_ descriptor: Int32, _ interest: Interest, as token: UInt64) throws(SystemError) {
    try control(EPOLL_CTL_MOD, descriptor, interest, token)
  }

  package func remove(_ descriptor: Int32) { _ = mediatoken_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0) }

  private func control(
    _ operation: Int32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
  ) throws(SystemError) {
    guard mediatoken_epoll_control(epoll, operation, descriptor, interest.rawValue, token) == 0 else { throw .last }
  }

  /// Waits until a descriptor is ready, ``wake()`` is called, or time is up; without `milliseconds` forever. True if it was
  /// woken. A wait that the process's stop interrupted ends when it goes on, with what is ready by then.
  ///
  /// `events` is set to the descriptors that are ready, at most `most` of up to 64; those that are left out come before
  /// them the next time.
  package func wait(milliseconds: Int32?, atMost most: Int = 64, _ events: inout [Event]) -> Bool {
    events.removeAll(keepingCapacity: true)
    var isWoken = false
    // SAFETY: the kernel writes no more than there is room for, and what it has not written is not read. Cleared first, the room would
    // cost as much as all else here.
    unsafe withUnsafeTemporaryAllocation(of: mediatoken_ready.self, capacity: 64) { room in
      let found = unsafe mediatoken_epoll_wait(
        epoll, room.baseAddress, Int32(min(most, room.count)), milliseconds ?? -1)
      for index in 0..<Int(found) {
        let ready = unsafe room[index]
        if ready.token == Self.wakerToken { isWoken = true } else { events.append(Event(ready)) }
      }
    }
    if isWoken {
      var count = eventfd_t()
      // SAFETY: eventfd_read writes one number. It fails only if there is nothing to read.
      _ = unsafe eventfd_read(waker, &count)
    }
    return isWoken
  }

  /// Ends the current or the next ``wait(milliseconds:_:)``; from any thread.
  package func wake() { _ = eventfd_write(waker, 1) }
}
