// What Swift's library has since 6.3, for the arm64 build against 6.2: a file of MediaTokenSystem, in a copy of the sources.
extension [UInt8] {
  /// Appends what `write` puts into the span, which has room for this many bytes.
  package mutating func append(
    addingCapacity room: Int, initializingWith write: (inout OutputSpan<UInt8>) -> Void
  ) {
    let start = count
    append(contentsOf: repeatElement(0, count: room))
    // SAFETY: bytes are trivial, and the buffer is used inside the closure alone.
    let written = unsafe withUnsafeMutableBufferPointer { bytes in
      let buffer = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      write(&output)
      return unsafe output.finalize(for: buffer)
    }
    removeLast(room - written)
  }
}
