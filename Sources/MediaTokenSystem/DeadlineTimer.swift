internal import CLinux

/// A deadline that a ``Poller`` can wait for (timerfd_create(2)).
package struct DeadlineTimer: ~Copyable, Sendable {
  private let timer: FileDescriptor

  /// Set to nothing.
  ///
  /// - Throws: what the system says when it has no descriptors or memory left.
  package init() throws(SystemError) {
    timer = FileDescriptor(owning: try SystemCall.uninterrupted { mediatoken_timer() })
  }

  /// Readable from the deadline on, until it is set again.
  package var descriptor: Int32 { timer.number }

  /// Sets the deadline, in ``MonotonicTime``; nil: none.
  package func set(_ deadline: UInt64?) {
    // A deadline of 0 would be none. Setting fails only for numbers that are no time (timerfd_settime(2)).
    _ = mediatoken_timer_set(timer.number, deadline.map { max(1, min($0, UInt64(Int64.max))) } ?? 0)
  }
}
