import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP

@Suite struct TraceContextTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let span = "b7ad6b7169203331"
  private static let good = "00-\(trace)-\(span)-01"

  private static func ids(_ value: String) -> [String]? {
    TraceContext(Array(value.utf8).span)?.ids.map { [$0.trace, $0.span] }
  }

  @Test func whatIsWellFormedIsKept() {
    for value in [
      Self.good, "00-\(Self.trace)-\(Self.span)-00", "01-\(Self.trace)-\(Self.span)-ff",
      "fe\(Self.good.dropFirst(2))-more",
    ] {
      #expect(Self.ids(value) == [Self.trace, Self.span], "\(value)")
    }
    let small = "00-\(String(repeating: "0", count: 31))1-\(String(repeating: "0", count: 15))2-00"
    #expect(Self.ids(small) == [String(repeating: "0", count: 31) + "1", String(repeating: "0", count: 15) + "2"])
  }

  @Test func whatIsNotIsNoTrace() {
    let (trace, span) = (Self.trace, Self.span)
    for value in [
      "", "00", "ff-\(trace)-\(span)-01", "00-\(trace)-\(span)", "00-\(trace)-\(span)-0", "00-\(trace)-\(span)-01-",
      "00-\(trace)-\(span)-011", "01-\(trace)-\(span)-011", "00-\(trace.uppercased())-\(span)-01",
      "00-\(trace)-\(span.uppercased())-01", "00-\(String(repeating: "0", count: 32))-\(span)-01",
      "00-\(trace)-\(String(repeating: "0", count: 16))-01", "00-\(trace.dropLast())g-\(span)-01",
      "00 \(trace)-\(span)-01", "00-\(trace)_\(span)-01", "0x-\(trace)-\(span)-01", "00-\(trace)-\(span)-0x",
      " \(Self.good)",
    ] {
      #expect(Self.ids(value) == nil, "\(value)")
    }
    // Every byte counts.
    for index in Self.good.utf8.indices {
      var bytes = Array(Self.good.utf8)
      bytes[Self.good.utf8.distance(from: Self.good.startIndex, to: index)] = UInt8(ascii: "\"")
      #expect(TraceContext(bytes.span) == nil)
    }
  }

  @Test func theHeadHasItOnce() {
    func read(_ fields: String) -> TraceContext {
      var head = RequestHead()
      #expect(head.read(Array("GET / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8).span, limit: 1000) == .complete)
      return head.trace
    }
    #expect(read("TraceParent: \(Self.good)\r\n").ids?.trace == Self.trace)
    #expect(read("").ids == nil && read("traceparent: x\r\n").ids == nil)
    #expect(read("traceparent: \(Self.good)\r\ntraceparent: \(Self.good)\r\n") == .none)
    #expect(read("traceparent: x\r\ntraceparent: \(Self.good)\r\n") == .none)
  }

  @Test func itDoesNotStayForTheNextRequest() {
    var head = RequestHead()
    _ = head.read(Array("GET / HTTP/1.1\r\nHost: x\r\ntraceparent: \(Self.good)\r\n\r\n".utf8).span, limit: 1000)
    head.reset()
    _ = head.read(Array("GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8).span, limit: 1000)
    #expect(head.trace == .none)
  }
}
