extension [UInt8] {
  /// Appends `,` if it is due, then `"name":`, then `"text"` if there is a text, in which nothing needs an escape.
  ///
  /// In one piece, because an answer is made of little else.
  @inline(__always)
  mutating func appendMember(_ isCommaDue: Bool, _ name: StaticString, _ text: Span<UInt8>?) {
    append(addingCapacity: name.utf8CodeUnitCount + (text?.count ?? 0) + 6) { output in
      // SAFETY: a StaticString's bytes live as long as the program.
      let name = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      if isCommaDue { output.append(UInt8(ascii: ",")) }
      unsafe output.quote(name.span)
      output.append(UInt8(ascii: ":"))
      if let text { output.quote(text) }
    }
  }
}

extension OutputSpan<UInt8> {
  /// Nothing in the text needs an escape.
  @inline(__always)
  mutating func quote(_ text: Span<UInt8>) {
    precondition(text.count + 2 <= freeCapacity)
    // SAFETY: the precondition is that the text and two marks fit after what is initialised.
    unsafe text.withUnsafeBytes { text in
      unsafe withUnsafeMutableBufferPointer { output, count in
        unsafe output[count] = UInt8(ascii: "\"")
        if let from = text.baseAddress, let to = output.baseAddress {
          unsafe UnsafeMutableRawPointer(to + count + 1).copyMemory(from: from, byteCount: text.count)
        }
        unsafe output[count + 1 + text.count] = UInt8(ascii: "\"")
        count += text.count + 2
      }
    }
  }
}
