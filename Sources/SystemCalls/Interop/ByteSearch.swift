internal import Glibc

extension Span<UInt8> {
  /// The offset of the next `byte` at or after `start`, or nil: memchr(3), many bytes at a time.
  package func firstIndex(of byte: UInt8, from start: Int) -> Int? {
    // SAFETY: memchr reads only the span's bytes from `start` on, and returns nil or a pointer to one of them.
    unsafe withUnsafeBytes { bytes in
      guard start < bytes.count, let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
      else { return nil }
      return unsafe base.distance(to: found)
    }
  }

  /// The offset of the last `byte` at or after `start`, or nil.
  package func lastIndex(of byte: UInt8, from start: Int) -> Int? {
    var index = count
    while index > start {
      index -= 1
      if self[index] == byte { return index }
    }
    return nil
  }
}
