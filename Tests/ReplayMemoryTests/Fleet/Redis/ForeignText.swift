import Testing

/// What no node says.
struct ForeignText: Sendable, CustomTestStringConvertible {
  let text: String
  private let number: Int

  /// Short, and on one line.
  var testDescription: String {
    "\(number): \(String(text.prefix(24)).debugDescription), \(text.utf8.count) bytes"
  }

  private static func texts(_ all: [String]) -> [ForeignText] {
    all.enumerated().map { ForeignText(text: $0.element, number: $0.offset) }
  }

  /// To a batch of two claims.
  static let replies: [ForeignText] = {
    let long = String(repeating: "x", count: 70_000)
    let word = "$16\r\n0123456789abcdef\r\n"
    return texts([
      "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "<html>", "\u{0}\u{0}\u{0}", "\r\n",
      "+\(long)", "-\(long)", "$70000\r\n\(long)\r\n", "*3\r\n:1\r\n$70000\r\n\(long)",
      "*1000000\r\n", "*67\r\n", "*2147483647\r\n", "*9223372036854775807\r\n", "*-5\r\n", "$-5\r\n",
      "*3\r\n:1\r\n*1\r\n:1\r\n:1\r\n", "*3\r\n" + String(repeating: "*1\r\n", count: 100),
      "%1\r\n+a\r\n+b\r\n", ">3\r\n:1\r\n:1\r\n:1\r\n", "~1\r\n:1\r\n", "#t\r\n", "_\r\n", ",1.5\r\n",
      "*3\r\n:1\r\n#t\r\n:1\r\n", "+OK\r\n", ":1\r\n", word, "$-1\r\n", "*-1\r\n", "*0\r\n",
      "*2\r\n:1\r\n:1\r\n", "*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n", "*3\r\n$1\r\n1\r\n:1\r\n:1\r\n",
      "*3\r\n:1\r\n:1\r\n:0\r\n", "*3\r\n:1\r\n:1\r\n:2\r\n", "*3\r\n:1\r\n:1\r\n$-1\r\n",
      "*3\r\n:1\r\n:1\r\n+A\r\n", "*3\r\n:1\r\n:1\r\n-ERR\r\n", "*3\r\n:1\r\n:1\r\n$1\r\nB\r\n",
      "*3\r\n:1\r\n:1\r\n$0\r\n\r\n", "*3\r\n:1\r\n:1\r\n$15\r\n0123456789abcde\r\n",
      "*3\r\n:1\r\n:1\r\n$17\r\n0123456789abcdefg\r\n",
    ])
  }()

  /// The same, with a time that no clock shows.
  static let times = texts(seconds.map { "*3\r\n:\($0)\r\n:1\r\n:1\r\n" })

  /// Too large for milliseconds, or before the epoch.
  private static let seconds: [Int64] = [.max, .max / 1000 + 1, 1 << 40 + 1, -1, .min]

  /// To a start: the clock, the floor, the highest second, and whether it was started.
  static let starts = texts(
    seconds.map { "*4\r\n:\($0)\r\n:1\r\n:0\r\n:1\r\n" }
      + [Int64.max, .max / 1000 + 1, 1 << 41 + 1, -2, .min].flatMap {
        ["*4\r\n:1000\r\n:\($0)\r\n:0\r\n:1\r\n", "*4\r\n:1000\r\n:1\r\n:\($0)\r\n:1\r\n"]
      } + ["*3\r\n:1000\r\n:1\r\n:0\r\n", "+OK\r\n", ":1000\r\n"])

  /// Values that no command of ours is answered by: those of RESP3, and lists that are null.
  static let values = texts([
    "#t\r\n", "#f\r\n", ",1.5\r\n", ",inf\r\n", ",nan\r\n", "(12345\r\n", "=5\r\ntxt:F\r\n",
    "!3\r\nERR\r\n", "_\r\n",
    "%1\r\n:1\r\n:1\r\n", "~1\r\n:1\r\n", ">1\r\n:1\r\n", "|1\r\n:1\r\n:1\r\n:1\r\n", "%0\r\n", "~0\r\n", ">0\r\n",
    "*-1\r\n", "%-1\r\n", "~-1\r\n", ">-1\r\n", "=-1\r\n", "*?\r\n", "$?\r\n",
  ])

  /// To a handshake.
  static let handshakes = texts([
    "#t\r\n", ",1.5\r\n", "*2\r\n#t\r\n#t\r\n",
    "HTTP/1.1 400 Bad Request\r\n\r\n", "*1\r\n:1\r\n", "+OK\r\n", ":1\r\n", "$-1\r\n",
    "$19\r\n# Server\r\nother:1\r\n\r\n",
  ])
}
