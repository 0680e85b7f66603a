import Testing

@testable import MediaToken

@Suite("SipHash")
struct SipHashTests {
  /// From `openssl mac -macopt hexkey:000102030405060708090a0b0c0d0e0f -macopt size:16 SIPHASH`.
  @Test(arguments: [
    ("", "A3817F04BA25A8E66DF67214C7550293"),
    ("a", "0EA4F2FB02AD21D92D5FC91684F26426"),
    ("1234567", "EDD2CA8109CA8BF74376F435C80826E0"),
    ("12345678", "86DA31E21D1241E0E933A215F9E2FAAE"),
    ("123456789012345", "5D9EE6F833DD1E05873A2C6296521BA7"),
    ("hello world, 32 bytes of message", "556CF34F654971E896868DA42A242128"),
  ])
  func agreesWithOpenSSL(_ message: String, _ expected: String) {
    let bytes = Array(message.utf8)
    var hash = SipHash128(key: (0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908))
    for start in stride(from: 0, to: bytes.count - 7, by: 8) { hash.combine(word(bytes[start..<start + 8])) }
    let rest = bytes.suffix(bytes.count % 8)
    let (first, second) = hash.finish(lastBytes: word(rest), count: UInt64(rest.count))
    #expect(hexadecimal(first) + hexadecimal(second) == expected)
  }

  private func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func hexadecimal(_ word: UInt64) -> String {
    (0..<8).map { index in
      let byte = String(word >> UInt64(8 * index) & 0xFF, radix: 16, uppercase: true)
      return byte.utf8.count == 1 ? "0" + byte : byte
    }.joined()
  }
}
