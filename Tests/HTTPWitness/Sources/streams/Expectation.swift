@testable import MediaTokenHTTP

/// What a worker must hand over and answer, if it takes a connection's bytes as `Understanding` does.
final class Expectation {
  let stream: [UInt8]
  let understanding: Understanding
  /// The first thing that was not as expected.
  private(set) var difference: String?
  private var handedOver = 0

  init(_ stream: [UInt8], _ understanding: Understanding) {
    (self.stream, self.understanding) = (stream, understanding)
  }

  /// Bodies of these targets are thrown away.
  static func discardsBody(of target: Span<UInt8>) -> Bool { ends(target, with: UInt8(ascii: "d")) }

  /// Requests for these targets are answered in a later turn.
  static func isAnsweredLater(_ target: Span<UInt8>) -> Bool { ends(target, with: UInt8(ascii: "l")) }

  private static func ends(_ target: Span<UInt8>, with byte: UInt8) -> Bool {
    !target.isEmpty && target[target.count - 1] == byte
  }

  /// Takes a request that the worker has for its handler.
  func take(_ request: borrowing Request) {
    let whole = understanding.wholeRequests
    guard handedOver < whole.count else { return differ("a request that was not understood") }
    let expected = whole[handedOver]
    handedOver += 1
    let body = Self.discardsBody(of: request.target) ? expected.body.prefix(0) : expected.body
    if !same(request.method, expected.method) { differ("another method") }
    if !same(request.target, expected.target) { differ("another target") }
    if !same(request.body, body) { differ("another body") }
    if request.fields.count != expected.fields.count { differ("another number of fields") }
    let names = expected.fields.map { lowercase(stream[$0.name]) }
    for (index, field) in expected.fields.enumerated() {
      let isRepeated = names.count { $0 == names[index] } > 1
      let name = Array(stream[field.name])
      let found = request.fields.find(name.span)
      switch found {
      case .none: differ("a field is missing")
      case .repeated: if !isRepeated { differ("a field is said to be there more than once") }
      case .one(let place):
        if isRepeated { differ("a field is said to be there once") }
        if !same(request.fields.value(place), field.value) { differ("another value") }
      }
    }
  }

  /// Takes all bytes that the worker has answered, and the end of the connection.
  func take(answers: [UInt8]) {
    var statuses = understanding.wholeRequests.map { (UInt16(200), $0.isHEAD) }
    if case .refused(let refusal, let isHEAD) = understanding.end { statuses.append((refusal.status, isHEAD)) }
    var (rest, invitations) = (answers[...], 0)
    for (status, isHEAD) in statuses {
      while rest.starts(with: ResponseHead.goOn) {
        rest = rest.dropFirst(ResponseHead.goOn.count)
        invitations += 1
      }
      guard let answer = Answer(rest, isForHEAD: isHEAD) else {
        return differ("\(status) is not answered, or not wholly")
      }
      guard answer.status == status else { return differ("\(answer.status) in place of \(status)") }
      rest = rest.dropFirst(answer.byteCount)
    }
    while rest.starts(with: ResponseHead.goOn) {
      rest = rest.dropFirst(ResponseHead.goOn.count)
      invitations += 1
    }
    if !rest.isEmpty { differ("more answers than requests") }
    let waiting = understanding.requests.count(where: \.expectsContinue)
    if invitations > waiting { differ("100 to a client that waits for none") }
    if handedOver != understanding.wholeRequests.count { differ("\(handedOver) requests were handed over") }
  }

  private func differ(_ text: String) { difference = difference ?? text }

  private func same(_ bytes: Span<UInt8>, _ place: Range<Int>) -> Bool {
    bytes.count == place.count && bytes.indices.allSatisfy { bytes[$0] == stream[place.lowerBound + $0] }
  }

  private func lowercase(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    bytes.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
  }
}

/// An answer at the front of some bytes.
private struct Answer {
  let status: UInt16
  let byteCount: Int

  /// Nil if it is not whole, or not an answer of ours.
  init?(_ bytes: ArraySlice<UInt8>, isForHEAD: Bool) {
    let bytes = Array(bytes)
    guard bytes.starts(with: "HTTP/1.1 ".utf8), bytes.count > 12,
      let status = UInt16(String(decoding: bytes[9..<12], as: UTF8.self)),
      let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) })
    else { return nil }
    let name = Array("Content-Length: ".utf8)
    guard let start = bytes.indices.first(where: { bytes[$0..<end].starts(with: name) }),
      let length = Int(String(decoding: bytes[(start + name.count)..<end].prefix { $0 != 13 }, as: UTF8.self))
    else { return nil }
    self.status = status
    byteCount = end + 4 + (isForHEAD ? 0 : length)
    if byteCount > bytes.count { return nil }
  }
}

/// Hands each request to the expectation of its connection, and answers 200.
final class CheckingHandler: RequestHandler {
  private let expectation: (UInt32) -> Expectation?
  private let turnEnds: () -> UInt64?
  private let body: [UInt8]
  private var later: [Ticket] = []

  /// - Parameters:
  ///   - answerBytes: how long the body of an answer is.
  ///   - turnEnds: called after each turn; returns when the next one is to be at the latest.
  ///   - expectation: that of the worker's connection number so-and-so.
  init(
    answerBytes: Int = 3, turnEnds: @escaping () -> UInt64? = { nil },
    expectation: @escaping (UInt32) -> Expectation?
  ) {
    (self.turnEnds, self.expectation) = (turnEnds, expectation)
    body = Array(repeating: UInt8(ascii: "b"), count: answerBytes)
  }

  func bodyRule(of request: borrowing Request) -> BodyRule {
    let isDiscarded = Expectation.discardsBody(of: request.target)
    return isDiscarded ? .discard : .collect(atMost: Understanding.Limits().body)
  }

  func answer(_ request: borrowing Request, with response: inout Response) -> Answering {
    expectation(request.ticket.connection)?.take(request)
    if Expectation.isAnsweredLater(request.target) {
      later.append(request.ticket)
      return .later
    }
    write(&response)
    return .now
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) {
    response.status = refusal.status
    response.body = Array("\(refusal)\n".utf8)
  }

  func answered(_ status: UInt16, delivered: Bool) {}

  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? {
    let tickets = later
    later = []
    for ticket in tickets { loop.answer(ticket) { write(&$0) } }
    return turnEnds()
  }

  private func write(_ response: inout Response) {
    response.status = 200
    response.body = body
  }
}
