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

  /// What each byte of the standard alphabet stands for; `+` and `/` with ``standardMark``, every other byte ``special``.
  // Written out, so that it is data in the binary and not computed at the first call.
  // swift-format-ignore
  private static let values: [UInt8] = [
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 126, 128, 128, 128, 127,
     52,  53,  54,  55,  56,  57,  58,  59,  60,  61, 128, 128, 128, 128, 128, 128,
    128,   0,   1,   2,   3,   4,   5,   6,   7,   8,   9,  10,  11,  12,  13,  14,
     15,  16,  17,  18,  19,  20,  21,  22,  23,  24,  25, 128, 128, 128, 128, 128,
    128,  26,  27,  28,  29,  30,  31,  32,  33,  34,  35,  36,  37,  38,  39,  40,
     41,  42,  43,  44,  45,  46,  47,  48,  49,  50,  51, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
    128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128, 128,
  ]

  private static let standardMark: UInt8 = 0x40
  private static let special: UInt8 = 0x80

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
      var (index, stored, seen) = (start, count, UInt8(0))
      while index &+ 8 <= text.count, stored &+ 8 <= output.count {
        let word = text.word(at: index)
        let a = values[Int(word & 0xFF)]
        let b = values[Int(word >> 8 & 0xFF)]
        let c = values[Int(word >> 16 & 0xFF)]
        let d = values[Int(word >> 24 & 0xFF)]
        let e = values[Int(word >> 32 & 0xFF)]
        let f = values[Int(word >> 40 & 0xFF)]
        let g = values[Int(word >> 48 & 0xFF)]
        let h = values[Int(word >> 56)]
        let all = a | b | c | d | e | f | g | h
        guard all < plain else { break }
        seen |= all
        let high = UInt64(a & 0x3F) << 58 | UInt64(b & 0x3F) << 52 | UInt64(c & 0x3F) << 46 | UInt64(d & 0x3F) << 40
        let low = UInt64(e & 0x3F) << 34 | UInt64(f & 0x3F) << 28 | UInt64(g & 0x3F) << 22 | UInt64(h & 0x3F) << 16
        // Six bytes, and two more that the next store writes over.
        output.store((high | low).byteSwapped, at: stored)
        index &+= 8
        stored &+= 6
      }
      symbols &+= index &- start
      count = stored
      sawStandard = sawStandard || seen >= standardMark
      return index
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
      var value = Base64.values[Int(byte)]
      switch byte {
      case UInt8(ascii: " "): value = 62 | standardMark
      case UInt8(ascii: "-") where spelling == .token: value = 62
      case UInt8(ascii: "_") where spelling == .token: value = 63
      default: if value == special { throw .character(at: index) }
      }
      sawStandard = sawStandard || value >= standardMark
      sawURLSafe = sawURLSafe || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      guard !(sawStandard && sawURLSafe) else { throw .mixedAlphabets(at: index) }
      return value & 0x3F
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
