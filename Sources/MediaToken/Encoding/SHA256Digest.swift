internal import MediaTokenSystem

/// 32 bytes of SHA-256, kept inline: copying, comparing and hashing one allocates nothing.
public struct SHA256Digest: Sendable, Hashable {
  /// The bytes in order, eight to a word, the first one lowest.
  // Words, because `InlineArray` is not yet Hashable.
  private let (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64)

  /// The digest with these 32 bytes, or nil if there are more or fewer.
  public init?(bytes: Span<UInt8>) {
    guard bytes.count == 32 else { return nil }
    (first, second, third, fourth) = (
      bytes.word(at: 0), bytes.word(at: 8), bytes.word(at: 16), bytes.word(at: 24)
    )
  }

  /// The digest with these four words, the first byte of each in its highest bits.
  init(words first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
    (self.first, self.second) = (first.byteSwapped, second.byteSwapped)
    (self.third, self.fourth) = (third.byteSwapped, fourth.byteSwapped)
  }

  /// The 32 bytes as four numbers, the first byte of each lowest: what a replay memory hashes.
  package var littleEndianWords: (UInt64, UInt64, UInt64, UInt64) { (first, second, third, fourth) }

  /// The 32 bytes in order.
  public var bytes: InlineArray<32, UInt8> {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var output = bytes.mutableSpan
    output.store(first, at: 0)
    output.store(second, at: 8)
    output.store(third, at: 16)
    output.store(fourth, at: 24)
    return bytes
  }
}

extension SHA256Digest {
  /// All hexadecimal digits in lower case, without a String around them.
  package var hexadecimalDigits: InlineArray<64, UInt8> {
    var text = InlineArray<64, UInt8>(repeating: 0)
    var output = text.mutableSpan
    var offset = 0
    let all: InlineArray<4, UInt64> = [first, second, third, fourth]
    for index in all.indices {
      let word = all[index]
      output.store(Hexadecimal.digits(of: UInt32(truncatingIfNeeded: word)), at: offset)
      output.store(Hexadecimal.digits(of: UInt32(truncatingIfNeeded: word >> 32)), at: offset + 8)
      offset += 16
    }
    return text
  }
}

extension SHA256Digest: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public var description: String { hexadecimal(digits: 64) }

  /// The digest from 64 hexadecimal digits in any case, with or without colons between its bytes;
  /// nil for anything else.
  public init?(hexadecimal text: String) {
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    var digits = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: ":") {
        // A colon may only separate two bytes.
        guard digits > 0, digits < 64, digits.isMultiple(of: 2) else { return nil }
        continue
      }
      guard digits < 64, let value = Hexadecimal.value(ofDigit: byte) else { return nil }
      bytes[digits / 2] = bytes[digits / 2] << 4 | value
      digits += 1
    }
    guard digits == 64 else { return nil }
    self.init(bytes: bytes.span)
  }

  /// The first `digits` hexadecimal digits in lower case.
  func hexadecimal(digits: Int) -> String {
    let all = hexadecimalDigits
    return String(decoding: (0..<digits).map { all[$0] }, as: UTF8.self)
  }
}

extension SHA256Digest: ExpressibleByStringLiteral {
  /// The digest with these 64 hexadecimal digits, as `mediatoken keys list` prints it. Another literal ends the program.
  public init(stringLiteral text: String) {
    guard let digest = SHA256Digest(hexadecimal: text) else {
      preconditionFailure("a fingerprint has 64 hexadecimal digits, as mediatoken keys list prints it")
    }
    self = digest
  }
}

/// The SHA-256 of a public key's re-encoded SubjectPublicKeyInfo: what a key is called.
public typealias Fingerprint = SHA256Digest
