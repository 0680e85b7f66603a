import Testing

@testable import MediaToken

@Suite("Step 5: lifetime")
struct LifetimeTests {
  /// Case 98, and each form's first and last possible instant.
  @Test(arguments: [
    ("1970-01-01 00:00:00 +0000", 0), ("1970-01-01 00:00:00 +1459", -53_940_000),
    ("9999-12-31 23:59:59 -1459", 253_402_354_739_000), ("2026/11/20 04:00:00 GMT -0800", 1_795_176_000_000),
    ("2026-11-20T12:00:00Z", 1_795_176_000_000), ("2026-11-20T12:00:00.001Z", 1_795_176_000_001),
    ("2026-11-20T04:00:00-08:00", 1_795_176_000_000), ("2026-11-20T04:00:00.999-08:00", 1_795_176_000_999),
    ("0000000000000", 0), ("9999999999999", 9_999_999_999_999), ("2024-02-29 00:00:00 -0000", 1_709_164_800_000),
    ("2000-02-29 00:00:00 +0000", 951_782_400_000),
  ])
  func acceptedFormsAreRead(_ text: String, _ milliseconds: Int64) {
    #expect(IssueTime.parse(text.utf8Span.span)?.millisecondsSinceEpoch == milliseconds)
  }

  @Test(arguments: [
    "", "1969-12-31 23:59:59 +0000", "2026-02-29 00:00:00 +0000", "1900-02-29 00:00:00 +0000",
    "2100-02-29 00:00:00 +0000", "2026-00-10 00:00:00 +0000", "2026-13-10 00:00:00 +0000",
    "2026-04-31 00:00:00 +0000", "2026-01-00 00:00:00 +0000", "2026-01-01 00:00:00 +1500",
    "2026-01-01 00:00:00 +0060", "2026-01-01 00:00:00 +00:00", "2026-01-01 00:00:00  +0000",
    "2026-01-01T00:00:00+0000", "2026-01-01T00:00:00.1Z", "2026-01-01T00:00:00.1234Z", "2026-01-01T00:00:00,123Z",
    "2026-01-01T00:00:00z", "2026-01-01t00:00:00Z", "2026/01/01 00:00:00 +0000", "2026/01/01 00:00:00 gmt +0000",
    "2026-01-01 00:00:00 GMT +0000", "2026/01-01 00:00:00 GMT +0000", "2026/01/01T00:00:00Z",
    "2026-01-01 24:00:00 +0000", "2026-01-01 00:60:00 +0000", "2026-01-01 00:00:60 +0000", "123456789012",
    "12345678901234", "-123456789012", "+123456789012", "٠٢٠٠٠٠", "2026-01-01 00:00:00 +0000 ",
    " 2026-01-01 00:00:00 +0000",
  ])
  func everythingElseIsRefused(_ text: String) {
    #expect(IssueTime.parse(text.utf8Span.span) == nil)
  }

  @Test func everyDayOfNineCenturiesIsReadAndWrittenBack() throws {
    for day in stride(from: Int64(0), through: 330_000, by: 1) {
      let instant = Instant(millisecondsSinceEpoch: day * 86_400_000 + 1)
      #expect(IssueTime.parse(instant.description.utf8Span.span) == instant)
    }
  }

  /// Whatever clock a caller has, there is an answer.
  @Test(arguments: [Int64.min, Int64.min + 1, -1, 0, Int64.max - 1, Int64.max])
  func extremeClocksAreAnswered(_ milliseconds: Int64) throws {
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier()
    let found = refusal { () throws(Refusal) in
      try verifier.verify(
        genuine.vector.received.span, requestor: .anyRequestor, resource: .anyResource,
        at: Instant(millisecondsSinceEpoch: milliseconds))
    }
    #expect(found?.reason == (milliseconds > 1 ? .expired : .issuedInFuture))
  }

  @Test func instantsBeforeTheEpochAreWritten() {
    #expect(Instant(millisecondsSinceEpoch: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Instant(millisecondsSinceEpoch: 0).description == "1970-01-01T00:00:00.000Z")
    #expect(Instant(millisecondsSinceEpoch: -62_167_219_200_000).description == "0000-01-01T00:00:00.000Z")
  }

  /// Case 191.
  @Test func policyRefusesTimesThatCannotBeMeant() {
    #expect(throws: Problem.self) { try Policy(expiryToleranceMilliseconds: -1) }
    #expect(throws: Problem.self) { try Policy(futureToleranceMilliseconds: 86_400_001) }
    #expect(throws: Problem.self) { try Policy(maxTTLMilliseconds: 0) }
    #expect(throws: Never.self) { try Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 86_400_000) }
    #expect((try? TokenPolicy(maxLifetime: .seconds(3600))) == .standard)
  }
}
