internal import MediaTokenSystem

/// The head of one request: read once, from its first byte to its last, and with one meaning only.
///
/// The grammar is a small part of RFC 9112: lines end with CR LF, a field is on one line, the body's length is one
/// `Content-Length`, the version is 1.1 or 1.0. Whatever two readers could understand in two ways is refused, and the
/// connection ends with that answer, so that nothing after it is ever read.
///
/// A value serves one request after another and keeps its memory. It can be read in pieces: what was looked at is not
/// looked at again.
package struct RequestHead: ~Copyable {
  package private(set) var method = 0..<0
  package private(set) var target = RequestTarget(Span())
  var fields: [FieldPlace] = []
  /// The length of the head, with the empty line at its end.
  private(set) var byteCount = 0
  /// `Int.max` for a length of more digits than any body here has.
  var bodyBytes: Int { framing.length ?? 0 }
  /// True if the connection ends with the answer, because the client says so, or because its next bytes would be no
  /// request.
  package var endsConnection: Bool { framing.endsConnection }
  var expectsContinue: Bool { framing.expectsContinue }
  /// True if an HTTP/1.0 client must be told that the connection is kept.
  var saysKeepAlive: Bool { framing.isVersion10 && !framing.endsConnection }
  package var trace: TraceContext { framing.trace }
  /// The answer to HEAD has no body.
  private(set) var isHEAD = false

  private var framing = MessageFraming()
  private var stage = Stage.start
  private var lineStart = 0
  /// The place up to which the current line is known to have no end.
  private var searched = 0

  private enum Stage {
    /// Nothing was read. One empty line is skipped: old clients send one after a body (RFC 9112 section 2.2).
    case start
    case requestLine
    case fields
  }

  init() {}

  /// The memory is kept.
  mutating func reset() {
    fields.removeAll(keepingCapacity: true)
    framing = MessageFraming()
    (stage, lineStart, searched, byteCount, isHEAD) = (.start, 0, 0, 0, false)
  }

  package enum Progress: Hashable, Sendable {
    case incomplete
    case complete
    case refused(RequestRefusal)
  }

  /// `bytes` has all that has come, from the request's first byte on; the bytes of the last call are in it still. The limit
  /// is in bytes.
  package mutating func read(_ bytes: Span<UInt8>, limit: Int) -> Progress {
    while let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: searched), end < limit {
      guard end > lineStart, bytes[end - 1] == UInt8(ascii: "\r") else { return .refused(.malformed(.lineEnd)) }
      let line = lineStart..<(end - 1)
      (lineStart, searched) = (end + 1, end + 1)
      if let refusal = take(bytes, line) {
        return .refused(line.allSatisfy { bytes[$0].mayBeInHead } ? refusal : .malformed(.lineEnd))
      }
      if byteCount > 0 { return .complete }
    }
    // Broken bytes are refused at once, because their line may never end; a line that is whole is reported by them, too.
    while searched < min(bytes.count, limit) {
      if !bytes[searched].mayBeInHead { return .refused(.malformed(.lineEnd)) }
      searched += 1
    }
    return bytes.count >= limit ? tooLong(limit) : .incomplete
  }

  private func tooLong(_ limit: Int) -> Progress {
    .refused(stage == .fields ? .headTooLarge(limit: limit) : .targetTooLong(limit: limit))
  }

  /// The line comes without its end.
  private mutating func take(_ bytes: Span<UInt8>, _ line: Range<Int>) -> RequestRefusal? {
    switch stage {
    case .start where line.isEmpty: stage = .requestLine
    case .start, .requestLine:
      stage = .fields
      return takeRequestLine(bytes, line)
    case .fields where line.isEmpty:
      byteCount = lineStart
      return framing.finish(method: bytes.extracting(method))
    case .fields: return takeField(bytes, line)
    }
    return nil
  }

  private mutating func takeRequestLine(_ bytes: Span<UInt8>, _ line: Range<Int>) -> RequestRefusal? {
    var index = line.lowerBound
    while index < line.upperBound, bytes[index].isTokenByte { index += 1 }
    method = line.lowerBound..<index
    guard index < line.upperBound, bytes[index] == UInt8(ascii: " ") else { return .malformed(.requestLine) }
    guard !method.isEmpty else { return .malformed(.method) }
    index += 1
    let start = index
    while index < line.upperBound, bytes[index].isVisible { index += 1 }
    guard index < line.upperBound, bytes[index] == UInt8(ascii: " ") else { return .malformed(.requestLine) }
    guard index > start else { return .malformed(.target) }
    target = RequestTarget(bytes, at: start..<index)
    let refusal = framing.take(version: bytes.extracting((index + 1)..<line.upperBound))
    isHEAD = refusal != .malformed(.requestLine) && bytes.extracting(method).isExactly("HEAD")
    return refusal
  }

  private mutating func takeField(_ bytes: Span<UInt8>, _ line: Range<Int>) -> RequestRefusal? {
    do throws(RequestRefusal) {
      let place = try FieldPlace(at: line, of: bytes)
      fields.append(place)
      return framing.take(
        name: bytes.extracting(Range(place.name)), value: bytes.extracting(Range(place.value)))
    } catch {
      return error
    }
  }
}

/// A request's target, cut at its first `?`.
package struct RequestTarget: Sendable {
  package let place: Range<Int>
  package let path: Range<Int>
  /// Empty if the target has no query.
  package let query: Range<Int>

  init(_ bytes: Span<UInt8>, at place: Range<Int>) {
    let mark = bytes.extracting(place).firstIndex(of: UInt8(ascii: "?"), from: 0)
    let pathEnd = mark.map { place.lowerBound + $0 } ?? place.upperBound
    self.place = place
    path = place.lowerBound..<pathEnd
    query = min(pathEnd + 1, place.upperBound)..<place.upperBound
  }

  package init(_ bytes: Span<UInt8>) { self.init(bytes, at: bytes.indices) }
}
