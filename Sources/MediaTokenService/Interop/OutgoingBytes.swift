/// Memory that stays where it is while the library sends it, which a Swift array does not promise.
@safe final class OutgoingBytes {
  // SAFETY: owned by this object from allocation to deinit; `count` bytes are initialised.
  private var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 1)
  private(set) var count = 0

  deinit { unsafe memory.deallocate() }

  /// The memory's address, valid until the next change of this object.
  var address: UnsafeMutableRawPointer? { unsafe memory.baseAddress }

  /// Holds a copy of `bytes` and nothing else.
  func hold(_ bytes: Span<UInt8>) {
    if unsafe bytes.count > memory.count { resize(bytes.count * 2) }
    // SAFETY: there is room for all of `bytes`; both are different memory.
    unsafe bytes.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
    count = bytes.count
  }

  /// Holds a copy of `bytes` and a NUL byte behind them, as C likes it.
  func holdText(_ bytes: Span<UInt8>) {
    if unsafe bytes.count >= memory.count { resize(bytes.count * 2 + 1) }
    hold(bytes)
    unsafe memory[count] = 0
  }

  /// Gives back what only a large body needed.
  func shrink() {
    count = 0
    if unsafe memory.count > HTTPLimits.keptBytes { resize(1024) }
  }

  private func resize(_ size: Int) {
    unsafe memory.deallocate()
    unsafe memory = .allocate(byteCount: size, alignment: 1)
  }
}
