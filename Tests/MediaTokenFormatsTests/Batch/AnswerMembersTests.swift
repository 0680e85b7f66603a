import MediaToken
import MediaTokenFormats
import Testing

@Suite("Digests and instants in JSON")
struct AnswerMembersTests {
  @Test func theyReadAsTheirDescriptions() throws {
    var milliseconds: [Int64] = [
      0, 1, -1, 951_782_399_999, 951_782_400_000, 253_402_300_799_999, 253_402_300_800_000,
    ]
    milliseconds += [-62_167_219_200_000, -62_167_219_200_001]
    for _ in 0..<1000 { milliseconds.append(.random(in: -70_000_000_000_000...260_000_000_000_000)) }
    for number in milliseconds {
      let instant = Instant(millisecondsSinceEpoch: number)
      var writer = JSONWriter()
      writer.object { $0.member("t", instant) }
      #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"t\":\"\(instant)\"}")
    }
    let text = "00f1e2d3c4b5a6978877665544332211fedcba98765432100123456789abcdef"
    let digest = try #require(SHA256Digest(hexadecimal: text))
    var writer = JSONWriter()
    writer.object { $0.member("d", digest) }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"d\":\"\(text)\"}")
  }
}
