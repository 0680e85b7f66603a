import MediaTokenSystem
import Testing

@Suite struct SpelledTimeTests {
  @Test func aDurationIsInItsTwoLargestUnits() {
    for (milliseconds, text) in [
      (0, "0 ms"), (1, "1 ms"), (999, "999 ms"), (1000, "1 second"), (1001, "1 second 1 ms"),
      (61_000, "1 minute 1 second"), (3_600_000, "1 hour"), (7_199_999, "1 hour 59 minutes"), (86_400_000, "1 day"),
      (86_460_000, "1 day"), (180_000_000, "2 days 2 hours"), (-61_000, "1 minute 1 second"),
      (.min, "106751991167 days 7 hours"), (.max, "106751991167 days 7 hours"),
    ] as [(Int64, String)] {
      #expect(SpelledTime.duration(milliseconds) == text)
    }
  }

  /// The time zone of tests is that of the machine: doors/lines.txt sets others.
  @Test func noLocalTimeWhereTheYearDoesNotFit() {
    #expect(SpelledTime.local(millisecondsSinceEpoch: .max) == nil)
    #expect(SpelledTime.local(millisecondsSinceEpoch: .min) == nil)
  }
}
