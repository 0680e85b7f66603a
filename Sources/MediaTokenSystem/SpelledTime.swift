internal import Glibc

package enum SpelledTime {
  private static let units: [(name: String, milliseconds: UInt64)] = [
    ("day", 86_400_000), ("hour", 3_600_000), ("minute", 60_000), ("second", 1000), ("ms", 1),
  ]

  /// A duration without its sign in the two largest units next to each other, rounded down: `1 day 3 hours`, `4 minutes`,
  /// `9 seconds 20 ms`.
  package static func duration(_ milliseconds: Int64) -> String {
    var rest = milliseconds.magnitude
    guard let first = units.firstIndex(where: { rest >= $0.milliseconds }) else { return "0 ms" }
    var words: [String] = []
    for unit in units[first...].prefix(2) {
      let count: UInt64
      (count, rest) = rest.quotientAndRemainder(dividingBy: unit.milliseconds)
      if count > 0 { words.append("\(count) \(unit.name)\(count == 1 || unit.name == "ms" ? "" : "s")") }
    }
    return words.joined(separator: " ")
  }

  /// The wall clock's text at that moment, by the time zone of this process: `2026-11-20 13:00:00 CET`; nil where that is
  /// UTC, or not known.
  package static func local(millisecondsSinceEpoch milliseconds: Int64) -> String? {
    var seconds = time_t(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0))
    var fields = unsafe tm()
    tzset()
    // SAFETY: both are values of this function; localtime_r reads the one and fills in the other.
    guard unsafe localtime_r(&seconds, &fields) != nil, unsafe fields.tm_gmtoff != 0 else { return nil }
    // SAFETY: strftime writes into the buffer at most as many bytes as it is told, and says how many.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        unsafe strftime(text.baseAddress!, text.count, "%Y-%m-%d %H:%M:%S %Z", &fields)
      }
    }
    return bytes.isEmpty ? nil : DisplayText.escaped(bytes)
  }
}
