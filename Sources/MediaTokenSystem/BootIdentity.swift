/// Which start of the machine this is.
package enum BootIdentity {
  /// Another number after every start of the kernel (random(4)), as two words.
  ///
  /// - Throws: what the system says; EINVAL if what it holds is not a UUID.
  package static func current() throws(SystemError) -> (UInt64, UInt64) {
    let file = try FileDescriptor(opening: "/proc/sys/kernel/random/boot_id", for: .reading)
    var text = InlineArray<36, UInt8>(repeating: 0)
    var output = text.mutableSpan
    guard try SystemCall.read(file.number, into: &output) == text.count else { throw .invalidArgument }
    var (words, digits): ((UInt64, UInt64), Int) = ((0, 0), 0)
    for index in text.indices where text[index] != UInt8(ascii: "-") {
      guard let digit = Hexadecimal.value(ofDigit: text[index]) else { throw .invalidArgument }
      if digits < 16 { words.0 = words.0 << 4 | UInt64(digit) } else { words.1 = words.1 << 4 | UInt64(digit) }
      digits += 1
    }
    guard digits == 32 else { throw .invalidArgument }
    return words
  }
}
