extension [UInt8] {
  /// Appends a copy of `bytes`.
  @inlinable
  package mutating func append(copying bytes: Span<UInt8>) {
    // SAFETY: the pointer is used inside the closure alone, by a copy of as many bytes as the span has.
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}

extension OutputSpan<UInt8> {
  /// Appends a copy of `bytes`, for which there must be room.
  @inlinable
  package mutating func append(copying bytes: Span<UInt8>) {
    precondition(bytes.count <= freeCapacity)
    // SAFETY: the precondition is that all of `bytes` fits behind what is initialised; a span that may be written overlaps
    // no other.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe withUnsafeMutableBufferPointer { output, initializedCount in
        unsafe UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(output)[initializedCount...])
          .copyMemory(from: bytes)
        initializedCount += bytes.count
      }
    }
  }
}
