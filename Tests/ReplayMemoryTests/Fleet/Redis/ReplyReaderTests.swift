import Testing

@testable import MediaToken

/// What hiredis reads of a stream, of whichever version it is.
@Suite struct ReplyReaderTests {
  private func take(_ text: String, from reader: ReplyReader) throws -> Reply? {
    try reader.feed(Array(text.utf8).span)
    return try reader.take()
  }

  @Test(arguments: ForeignText.values)
  func `a value that no command asks for is no reply, at first, after a good one and in a list`(value: ForeignText)
    throws
  {
    for text in [value.text, "*3\r\n\(value.text):1000\r\n:1\r\n", "*3\r\n:1000\r\n:1\r\n\(value.text)"] {
      #expect(throws: ForeignReply.self) { try take(text, from: ReplyReader()) }
    }
    let reader = ReplyReader()
    #expect(try take("*2\r\n:1000\r\n:1\r\n", from: reader)?.integers == [1000, 1])
    #expect(throws: ForeignReply.self) { try take(value.text, from: reader) }
  }

  /// Also what is announced, and while no reply is awaited.
  @Test(arguments: [
    "+", "-", ":", "$1000000000\r\n", "*65\r\n$1000000000\r\n", "*2\r\n:1\r\n+", ">", "%", "=", "!",
  ])
  func `a reply of more than 64 KiB is no reply, however it begins`(start: String) throws {
    let reader = ReplyReader()
    let piece = String(repeating: "1", count: 16384)
    #expect(throws: ForeignReply.self) {
      _ = try take(start, from: reader)
      for _ in 0...4 { _ = try take(piece, from: reader) }
    }
    #expect(reader.open <= ReplyReader.mostBytes + 2 * piece.utf8.count)
  }

  @Test func `each reply is what was read for it, and nothing more`() throws {
    let reader = ReplyReader()
    #expect(try take("$2\r\nab\r\n*2\r\n$-1\r\n$1\r\nc\r\n:7", from: reader)?.wholeText == "ab")
    #expect(try reader.take()?.texts == [nil, "c"])
    #expect(try reader.take() == nil)
    #expect(try take("\r\n$-1\r\n", from: reader)?.values.map(\.number) == [7])
    #expect(try reader.take()?.kind == .null)
    #expect(try reader.take() == nil)
  }
}
