internal import MediaTokenSystem

/// Base64 (RFC 4648) as tokens use it: one spelling for one payload, and the two spellings that forms and URLs make
/// of it. White space, junk and stray bits are errors, where OpenSSL and Foundation look away.
package enum Base64 {
  /// The spellings that are accepted besides the canonical one.
  package enum Spelling {
    /// Canonical and padded; a space stands for `+`. For the signature inside a token.
    case signature
    /// As ``signature``, or the URL-safe alphabet, or without padding, or with `%2B`, `%2F` and `%3D`. For a token
    /// that is base64 as a whole.
    case token
  }

  /// The fault, and the offset of the byte that shows it.
  package enum Failure: Error {
    case character(at: Int)
    case percentEscape(at: Int)
    case mixedAlphabets(at: Int)
    case padding(at: Int)
    case trailingBits(at: Int)
  }

  /// Decodes all of `text` into `output` and returns the number of bytes that it stands for. Bytes beyond the end of
  /// `output` are checked and counted, but not stored.
  package static func decode(
    _ text: Span<UInt8>, as spelling: Spelling, into output: inout MutableSpan<UInt8>
  ) throws(Failure) -> Int {
    let values = Base64.values.span
    var decoder = Decoder(spelling)
    var index = 0
    while index < text.count {
      index = decoder.takePlainGroups(of: text, from: index, values, into: &output)
      index = try decoder.takeGroups(of: text, from: index, values, into: &output)
    }
    return decoder.count
  }

  /// The value of each byte, at each of the four places in a group: 256 numbers for the first symbol of a group of four,
  /// already where they belong in its 24 bits, 256 for the second, and so on. Above the 24 bits are the marks: a symbol of
  /// one alphabet only is marked with it; a byte of none is ``special``.
  private static let values: [UInt32] = {
    let both: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    var symbols = both.description.utf8.enumerated().map { value, byte in (byte, UInt32(value), UInt32(0)) }
    symbols += [
      (UInt8(ascii: "+"), 62, standard), (UInt8(ascii: " "), 62, standard), (UInt8(ascii: "/"), 63, standard),
    ]
    symbols += [(UInt8(ascii: "-"), 62, urlSafe), (UInt8(ascii: "_"), 63, urlSafe)]
    var values = [UInt32](repeating: special, count: 1024)
    for place in 0..<4 {
      for (byte, value, mark) in symbols { values[place << 8 | Int(byte)] = value << UInt32(18 - 6 * place) | mark }
    }
    return values
  }()

  // Ordered so that one comparison finds both alphabets in one text, or something special.
  private static let standard: UInt32 = 1 << 24
  private static let urlSafe: UInt32 = 2 << 24
  private static let unmixed: UInt32 = 3 << 24
  private static let special: UInt32 = 4 << 24

  /// The state between two groups of four symbols.
  private struct Decoder {
    private let spelling: Spelling
    /// The marks of all symbols so far. (Their values are in it too, and mean nothing.)
    private var seen: UInt32
    /// The bytes that the symbols so far stand for.
    private(set) var count = 0

    init(_ spelling: Spelling) {
      self.spelling = spelling
      // A signature is in the standard alphabet, whether or not it has a symbol that only this has.
      seen = spelling == .signature ? standard : 0
    }

    /// Takes as many groups of eight plain symbols as there are, and returns the index after them. Nearly all of a text
    /// goes this way, so it is written for speed.
    mutating func takePlainGroups(
      of text: Span<UInt8>, from start: Int, _ values: Span<UInt32>, into output: inout MutableSpan<UInt8>
    ) -> Int {
      // Said once, so that no index is checked.
      precondition(values.count == 1024)
      var (index, stored, seen) = (start, count, seen)
      while index &+ 8 <= text.count, stored &+ 8 <= output.count {
        let word = text.word(at: index)
        let (first, second) = (group(of: word, values), group(of: word >> 32, values))
        let marks = seen | first | second
        guard marks < unmixed else { break }
        seen = marks
        // Six bytes, and two more that the next store writes over.
        output.store((UInt64(first & 0xFF_FFFF) << 40 | UInt64(second & 0xFF_FFFF) << 16).byteSwapped, at: stored)
        index &+= 8
        stored &+= 6
      }
      // Where the output is full nothing is stored, but the rest is still checked.
      while index &+ 8 <= text.count, stored >= output.count {
        let word = text.word(at: index)
        let marks = seen | group(of: word, values) | group(of: word >> 32, values)
        guard marks < unmixed else { break }
        seen = marks
        index &+= 8
        stored &+= 6
      }
      count = stored
      self.seen = seen
      return index
    }

    /// The four symbols in the low half of `word`, the first one lowest, as 24 bits, and the marks of all.
    private func group(of word: UInt64, _ values: Span<UInt32>) -> UInt32 {
      values[Int(word & 0xFF)] | values[256 | Int(word >> 8 & 0xFF)] | values[512 | Int(word >> 16 & 0xFF)]
        | values[768 | Int(word >> 24 & 0xFF)]
    }

    /// Takes groups symbol by symbol, up to the first that has no escape in it, and returns the index after that; or
    /// the end of the text, checked.
    mutating func takeGroups(
      of text: Span<UInt8>, from start: Int, _ values: Span<UInt32>, into output: inout MutableSpan<UInt8>
    ) throws(Failure) -> Int {
      var (index, groupStart) = (start, start)
      repeat {
        groupStart = index
        var group: UInt32 = 0
        for symbols in 0..<4 {
          guard index < text.count else {
            return try finish(text, at: index, group, symbols, into: &output)
          }
          let (byte, next) = try symbol(of: text, at: index)
          // Those of the last place are not shifted.
          let value = values[768 | Int(byte)]
          let marks = seen | value
          if marks >= unmixed {
            if byte == UInt8(ascii: "=") { return try finish(text, at: index, group, symbols, into: &output) }
            throw value < special && spelling == .token ? .mixedAlphabets(at: index) : .character(at: index)
          }
          seen = marks
          group = group << 6 | value & 0x3F
          index = next
        }
        store(group, bytes: 3, into: &output)
      } while index &- groupStart > 4
      return index
    }

    /// The symbol at `index`, and the index after it. Of the alphabet percent-encoding changes `+`, `/` and `=` only.
    private func symbol(of text: Span<UInt8>, at index: Int) throws(Failure) -> (UInt8, next: Int) {
      let byte = text[index]
      guard byte == UInt8(ascii: "%"), spelling == .token else { return (byte, index &+ 1) }
      guard index &+ 2 < text.count else { throw .percentEscape(at: index) }
      // Bit 5 is all that tells the cases of a letter apart.
      switch (text[index &+ 1], text[index &+ 2] | 0x20) {
      case (UInt8(ascii: "2"), UInt8(ascii: "b")): return (UInt8(ascii: "+"), index &+ 3)
      case (UInt8(ascii: "2"), UInt8(ascii: "f")): return (UInt8(ascii: "/"), index &+ 3)
      case (UInt8(ascii: "3"), UInt8(ascii: "d")): return (UInt8(ascii: "="), index &+ 3)
      default: throw .percentEscape(at: index)
      }
    }

    /// Checks the padding, which goes to the end of the text, and the last group, stores its bytes and returns the end.
    private mutating func finish(
      _ text: Span<UInt8>, at start: Int, _ group: UInt32, _ symbols: Int, into output: inout MutableSpan<UInt8>
    ) throws(Failure) -> Int {
      var (index, pads) = (start, 0)
      while index < text.count {
        let (byte, next) = try symbol(of: text, at: index)
        guard byte == UInt8(ascii: "=") else { throw .padding(at: index) }
        index = next
        pads += 1
      }
      let missing = (4 - symbols) & 3
      guard symbols != 1, pads == missing || (pads == 0 && spelling == .token) else { throw .padding(at: index) }
      if symbols == 0 { return index }
      let last = group << UInt32(6 * missing)
      // Two symbols hold one byte and four spare bits, three hold two bytes and two.
      guard last & (symbols == 2 ? 0xFFFF : 0xFF) == 0 else { throw .trailingBits(at: index) }
      store(last, bytes: symbols - 1, into: &output)
      return index
    }

    /// Stores the first `bytes` of the group's three, as far as there is room.
    private mutating func store(_ group: UInt32, bytes: Int, into output: inout MutableSpan<UInt8>) {
      for index in 0..<bytes where count &+ index < output.count {
        output[count &+ index] = UInt8(truncatingIfNeeded: group >> UInt32(16 &- 8 &* index))
      }
      count &+= bytes
    }
  }
}
