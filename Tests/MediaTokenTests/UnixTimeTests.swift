import MediaToken
import Testing

@Suite("Instants as people write them")
struct UnixTimeTests {
  @Test(arguments: [
    ("2026-11-20T12:00:00Z", 1_795_176_000_000), ("2026-11-20T12:00:00.007+00:00", 1_795_176_000_007),
    ("2026-11-20 04:00:00 -0800", 1_795_176_000_000), ("1795176000000", 1_795_176_000_000), ("0", 0),
    ("999999999999999", 999_999_999_999_999),
  ])
  func instantsAreReadAsPeopleWriteThem(_ text: String, _ milliseconds: Int64) {
    #expect(Instant(written: text) == Instant(millisecondsSinceEpoch: milliseconds))
  }

  @Test(arguments: [
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"), (253_402_300_800_000, "10000-01-01T00:00:00.000Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (-62_167_219_200_001, "-0001-12-31T23:59:59.999Z"),
    (Int64.max, "292278994-08-17T07:12:55.807Z"), (Int64.min, "-292275055-05-16T16:47:04.192Z"),
  ])
  func everyInstantHasADescription(_ milliseconds: Int64, _ text: String) {
    #expect(Instant(millisecondsSinceEpoch: milliseconds).description == text)
  }

  @Test(arguments: [
    "", " 1", "1 ", "+1", "-1", "1e3", "1000000000000000", "2026-11-20", "2026-11-20T12:00:00", "now", "１",
  ])
  func otherInstantsAreNot(_ text: String) {
    #expect(Instant(written: text) == nil)
  }
}
