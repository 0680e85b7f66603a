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
      if decoder.isBetweenQuanta, index + 4 <= text.count {
        let (a, b, c, d) =
          (value(text[index]), value(text[index + 1]), value(text[index + 2]), value(text[index + 3]))
        if a | b | c | d < 64 {
          decoder.take(a, b, c, d, into: &output)
          index += 4
          continue
        }
      }
      index = try decoder.takeSymbol(of: text, at: index, as: spelling, into: &output)
    }
    return try decoder.finish(at: text.count, paddingRequired: spelling == .signature, into: &output)
  }

  /// What a letter or digit stands for; ``special`` for every other byte.
  private static func value(_ byte: UInt8) -> UInt8 {
    values[Int(byte)]
  }

  private static let special: UInt8 = 0xFF

  private static let values = InlineArray<256, UInt8> { index in
    let byte = UInt8(index)
    return switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    default: special
    }
  }

  /// The state between two symbols.
  private struct Decoder {
    private var quantum: UInt32 = 0
    private var symbols = 0
    private var pads = 0
    private var count = 0
    private var sawStandard = false
    private var sawURLSafe = false

    var isBetweenQuanta: Bool { symbols & 3 == 0 && pads == 0 }

    /// Takes four letters or digits.
    mutating func take(
      _ a: UInt8, _ b: UInt8, _ c: UInt8, _ d: UInt8, into output: inout MutableSpan<UInt8>
    ) {
      quantum = UInt32(a) << 18 | UInt32(b) << 12 | UInt32(c) << 6 | UInt32(d)
      symbols &+= 4
      store(3, into: &output)
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
      let plain = Base64.value(byte)
      if plain != special { return plain }
      switch byte {
      case UInt8(ascii: "+"), UInt8(ascii: " "), UInt8(ascii: "/"): sawStandard = true
      case UInt8(ascii: "-") where spelling == .token, UInt8(ascii: "_") where spelling == .token: sawURLSafe = true
      default: throw .character(at: index)
      }
      guard !(sawStandard && sawURLSafe) else { throw .mixedAlphabets(at: index) }
      return byte == UInt8(ascii: "/") || byte == UInt8(ascii: "_") ? 63 : 62
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
