internal import MediaTokenSystem

/// The end of a message, and whether another one follows: what the fields say about it (RFC 9112 sections 6 and 9).
///
/// Two readers of one head can disagree about where its body ends; each field that could make them is refused here.
struct MessageFraming {
  /// Nil if the head does not say the body's length.
  private(set) var length: Int?
  private(set) var isVersion10 = false
  private(set) var endsConnection = false
  private(set) var expectsContinue = false
  /// Nothing, where `traceparent` is ill formed or repeated.
  private(set) var trace = TraceContext.none
  private var hasTrace = false
  private var hasHost = false
  private var coding = Coding.none
  private var keepsAlive = false
  private var closes = false
  private var expects = Expectation.none

  private enum Coding {
    case none, chunked, other
  }

  private enum Expectation {
    case none, toContinue, other
  }

  /// Digits of a length: 18 always fit into 64 bits, and no body here is that long.
  private static let lengthDigits = 18

  /// The version is `HTTP/1.1` or `HTTP/1.0`, in upper case.
  mutating func take(version: Span<UInt8>) -> RequestRefusal? {
    if version.isExactly("HTTP/1.1") { return nil }
    isVersion10 = version.isExactly("HTTP/1.0")
    if isVersion10 { return nil }
    let isVersion =
      version.count == 8 && version.begins(with: "HTTP/") && version[5].isDigit
      && version[6] == UInt8(ascii: ".") && version[7].isDigit
    return isVersion ? .version : .malformed(.requestLine)
  }

  /// The value comes without the white space around it.
  @inline(__always)
  mutating func take(name: Span<UInt8>, value: Span<UInt8>) -> RequestRefusal? {
    switch name.count {
    case 4 where name.isExactlyIgnoringCase("host"): takeHost(value)
    case 6 where name.isExactlyIgnoringCase("expect"): takeExpectation(value)
    case 10 where name.isExactlyIgnoringCase("connection"): takeConnection(value)
    case 11 where name.isExactlyIgnoringCase("traceparent"): takeTrace(value)
    case 14 where name.isExactlyIgnoringCase("content-length"): takeLength(value)
    case 17 where name.isExactlyIgnoringCase("transfer-encoding"): takeCoding(value)
    default: nil
    }
  }

  /// A trace decides nothing, so that no request is refused for it.
  @inline(never)
  private mutating func takeTrace(_ value: Span<UInt8>) -> RequestRefusal? {
    trace = hasTrace ? .none : TraceContext(value) ?? .none
    hasTrace = true
    return nil
  }

  private mutating func takeHost(_ value: Span<UInt8>) -> RequestRefusal? {
    if hasHost { return .malformed(.repeatedHost) }
    hasHost = true
    for index in value.indices where !value[index].mayBeInHost { return .malformed(.host) }
    return nil
  }

  private mutating func takeLength(_ value: Span<UInt8>) -> RequestRefusal? {
    if length != nil { return .malformed(.repeatedLength) }
    guard !value.isEmpty, value.count == 1 || value[0] != UInt8(ascii: "0") else {
      return .malformed(.contentLength)
    }
    var number = 0
    for index in value.indices {
      guard value[index].isDigit else { return .malformed(.contentLength) }
      if index < Self.lengthDigits { number = number * 10 + Int(value[index] - UInt8(ascii: "0")) }
    }
    length = value.count > Self.lengthDigits ? .max : number
    return nil
  }

  private mutating func takeCoding(_ value: Span<UInt8>) -> RequestRefusal? {
    coding = coding == .none && value.isExactlyIgnoringCase("chunked") ? .chunked : .other
    return nil
  }

  private mutating func takeExpectation(_ value: Span<UInt8>) -> RequestRefusal? {
    expects = expects == .none && value.isExactlyIgnoringCase("100-continue") ? .toContinue : .other
    return nil
  }

  /// A list of options (RFC 9110 section 7.6.1); those that we don't know ask for nothing here.
  private mutating func takeConnection(_ value: Span<UInt8>) -> RequestRefusal? {
    var start = 0
    while start < value.count {
      let comma = value.firstIndex(of: UInt8(ascii: ","), from: start) ?? value.count
      var (first, end) = (start, comma)
      while first < end, value[first].isWhiteSpace { first += 1 }
      while first < end, value[end - 1].isWhiteSpace { end -= 1 }
      let option = value.extracting(first..<end)
      closes = closes || option.isExactlyIgnoringCase("close")
      keepsAlive = keepsAlive || option.isExactlyIgnoringCase("keep-alive")
      start = comma + 1
    }
    return nil
  }

  /// Checks what only all fields together show.
  mutating func finish(method: Span<UInt8>) -> RequestRefusal? {
    if !hasHost, !isVersion10 { return .malformed(.missingHost) }
    endsConnection = closes || isVersion10 && !keepsAlive
    if coding != .none {
      guard coding == .chunked, length == nil, !isVersion10 else { return .malformed(.transferCoding) }
      return .lengthRequired(.chunked)
    }
    if method.isExactly("CONNECT") {
      // Its client may take all that follows for another protocol's (RFC 9110 section 9.3.6), and its body for no body.
      if length != nil { return .malformed(.bodyOfConnect) }
      endsConnection = true
    }
    if length == nil, method.isExactly("POST") { return .lengthRequired(.absent) }
    // RFC 9110 section 10.1.1: an HTTP/1.0 client does not mean it, and one that sends no body waits for nothing.
    if expects == .other, !isVersion10 { return .expectation }
    expectsContinue = expects == .toContinue && !isVersion10 && (length ?? 0) > 0
    return nil
  }
}
