/// Base64 (RFC 4648) as tokens use it: one spelling for one payload, and the two spellings that forms and URLs make
/// of it. White space, junk and stray bits are errors, where OpenSSL and Foundation look away.
package enum Base64 {
  /// Which spellings are accepted beside the canonical one.
  package enum Spelling {
    /// Canonical and padded; a space stands for `+`. For the signature inside a token.
    case signature
    /// As ``signature``, or the URL-safe alphabet, or without padding, or with `%2B`, `%2F` and `%3D`. For a token
    /// that is base64 as a whole.
    case token
  }

  /// What is wrong, and the offset of the byte that shows it.
  package enum Failure: Error {
    case character(at: Int)
    case percentEscape(at: Int)
    case mixedAlphabets(at: Int)
    case padding(at: Int)
    case trailingBits(at: Int)
  }

  /// Decodes all of `text` into `output` and returns how many bytes it stands for.
  ///
  /// Bytes beyond the end of `output` are checked and counted, but not stored.
  package static func decode(
    _ text: Span<UInt8>, as spelling: Spelling, into output: inout MutableSpan<UInt8>
  ) throws(Failure) -> Int {
    var decoder = Decoder()
    var index = 0
    while index < text.count {
      if decoder.isBetweenQuanta { index = decoder.takePlainQuanta(of: text, from: index, into: &output) }
      if index < text.count { index = try decoder.takeSymbol(of: text, at: index, as: spelling, into: &output) }
    }
    return try decoder.finish(at: text.count, paddingRequired: spelling == .signature, into: &output)
  }

  /// What each byte of the standard alphabet stands for, at each of the four places in a group: 256 numbers for the first
  /// symbol of a group of four, already where they belong in its 24 bits, 256 for the second, and so on. `+` and `/`
  /// have ``standardMark`` too, every other byte is ``special``.
  private static let values: [UInt32] = {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    var values = [UInt32](repeating: special, count: 1024)
    for place in 0..<4 {
      for (value, byte) in alphabet.description.utf8.enumerated() {
        values[place << 8 | Int(byte)] = UInt32(value) << UInt32(18 - 6 * place) | (value < 62 ? 0 : standardMark)
      }
    }
    return values
  }()

  private static let standardMark: UInt32 = 1 << 24
  private static let special: UInt32 = 1 << 25

  /// The state between two symbols.
  private struct Decoder {
    private var quantum: UInt32 = 0
    private var symbols = 0
    private var pads = 0
    private var count = 0
    private var sawStandard = false
    private var sawURLSafe = false

    var isBetweenQuanta: Bool { symbols & 3 == 0 && pads == 0 }

    /// Takes as many groups of eight plain symbols as there are, and returns the index behind them. Nearly all of a text
    /// goes this way, so it is written for speed.
    mutating func takePlainQuanta(
      of text: Span<UInt8>, from start: Int, into output: inout MutableSpan<UInt8>
    ) -> Int {
      let plain = sawURLSafe ? standardMark : special
      let values = Base64.values.span
      // Said once, so that no index is checked.
      precondition(values.count == 1024)
      var (index, stored, seen) = (start, count, UInt32(0))
      while index &+ 8 <= text.count, stored &+ 8 <= output.count {
        let word = text.word(at: index)
        let first = group(of: word, values)
        let second = group(of: word >> 32, values)
        guard first | second < plain else { break }
        seen |= first | second
        // Six bytes, and two more that the next store writes over.
        output.store((UInt64(first & 0xFF_FFFF) << 40 | UInt64(second & 0xFF_FFFF) << 16).byteSwapped, at: stored)
        index &+= 8
        stored &+= 6
      }
      symbols &+= index &- start
      count = stored
      sawStandard = sawStandard || seen >= standardMark
      return index
    }

    /// The four symbols in the low half of `word`, the first one lowest, as 24 bits, and the marks of all.
    @inline(__always)
    private func group(of word: UInt64, _ values: Span<UInt32>) -> UInt32 {
      values[Int(word & 0xFF)] | values[256 | Int(word >> 8 & 0xFF)] | values[512 | Int(word >> 16 & 0xFF)]
        | values[768 | Int(word >> 24 & 0xFF)]
    }

    /// Takes the symbol at `index` and returns the index behind it.
    mutating func takeSymbol(
      of text: Span<UInt8>, at index: Int, as spelling: Spelling, into output: inout MutableSpan<UInt8>
    ) throws(Failure) -> Int {
      var byte = text[index]
      var next = index + 1
      if byte == UInt8(ascii: "%"), spelling == .token {
        byte = try unescaped(text, at: index)
        next = index + 3
      }
      if byte == UInt8(ascii: "=") {
        pads += 1
        return next
      }
      guard pads == 0 else { throw .padding(at: index) }
      quantum = quantum << 6 | UInt32(try value(of: byte, at: index, as: spelling))
      symbols += 1
      if symbols & 3 == 0 { store(3, into: &output) }
      return next
    }

    /// The byte for `%2B`, `%2F` or `%3D`: the only ones of the alphabet that percent-encoding changes.
    private func unescaped(_ text: Span<UInt8>, at index: Int) throws(Failure) -> UInt8 {
      guard index + 2 < text.count, let high = Hexadecimal.value(ofDigit: text[index + 1]),
        let low = Hexadecimal.value(ofDigit: text[index + 2])
      else { throw .percentEscape(at: index) }
      let byte = high << 4 | low
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return byte
      default: throw .percentEscape(at: index)
      }
    }

    private mutating func value(of byte: UInt8, at index: Int, as spelling: Spelling) throws(Failure) -> UInt8 {
      // Those of the last place are not shifted.
      var value = Base64.values[768 | Int(byte)]
      switch byte {
      case UInt8(ascii: " "): value = 62 | standardMark
      case UInt8(ascii: "-") where spelling == .token: value = 62
      case UInt8(ascii: "_") where spelling == .token: value = 63
      default: if value == special { throw .character(at: index) }
      }
      sawStandard = sawStandard || value >= standardMark
      sawURLSafe = sawURLSafe || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      guard !(sawStandard && sawURLSafe) else { throw .mixedAlphabets(at: index) }
      return UInt8(truncatingIfNeeded: value & 0x3F)
    }

    /// Checks the end of the text, stores the last bytes and returns how many there are in all.
    mutating func finish(
      at end: Int, paddingRequired: Bool, into output: inout MutableSpan<UInt8>
    ) throws(Failure) -> Int {
      let left = symbols & 3
      let missing = (4 - left) & 3
      guard left != 1, pads == missing || (pads == 0 && !paddingRequired) else { throw .padding(at: end) }
      if left == 0 { return count }
      quantum <<= UInt32(6 * missing)
      // Two symbols hold one byte and four spare bits, three hold two bytes and two.
      guard quantum & (left == 2 ? 0xFFFF : 0xFF) == 0 else { throw .trailingBits(at: end) }
      store(left - 1, into: &output)
      return count
    }

    /// Stores the first `bytes` of the quantum's three.
    private mutating func store(_ bytes: Int, into output: inout MutableSpan<UInt8>) {
      for index in 0..<bytes where count &+ index < output.count {
        output[count &+ index] = UInt8(truncatingIfNeeded: quantum >> UInt32(16 &- 8 &* index))
      }
      count &+= bytes
      quantum = 0
    }
  }
}
