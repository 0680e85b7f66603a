internal import Glibc

/// Where log lines go.
enum LogDescriptor {
  /// write(2), once, and a second time for the rest where the first was cut short.
  ///
  /// - Returns: how many bytes went out; fewer than there are if nobody reads, the disk is full, or the descriptor would
  ///   have to be waited for although it was made not to block.
  static func write(_ descriptor: Int32, _ bytes: Span<UInt8>) -> Int {
    var written = 0
    for _ in 0..<2 where written < bytes.count {
      let rest = bytes.extracting(written...)
      // SAFETY: write(2) reads at most the span's length.
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      written += count
    }
    return written
  }
}
