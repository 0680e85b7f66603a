internal import CLinux
internal import Glibc

/// A descriptor that another thread makes readable (eventfd(2)).
package struct Waker: ~Copyable, Sendable {
  private let event: FileDescriptor

  /// An error if the system has no descriptors or memory left.
  package init() throws(SystemError) {
    event = FileDescriptor(owning: try SystemCall.uninterrupted { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) })
  }

  /// Readable from ``wake()`` on, until ``clear()``.
  package var descriptor: Int32 { event.number }

  package func wake() { _ = eventfd_write(event.number, 1) }

  package func clear() {
    var count = eventfd_t()
    // SAFETY: eventfd_read writes one number. It fails only if there is nothing to read.
    _ = unsafe eventfd_read(event.number, &count)
  }
}
