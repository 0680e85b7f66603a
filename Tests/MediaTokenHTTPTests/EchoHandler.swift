import Glibc
import MediaTokenSystem
import Synchronization
import Testing

@testable import MediaTokenHTTP

/// Answers every request with what it saw of it. What it counts is shared by all workers.
final class EchoHandler: RequestHandler {
  let seen: Seen
  /// Requests that are to be answered at the end of a turn that comes later.
  private var later: [(ticket: Ticket, text: String, turns: Int)] = []
  /// Requests that are to be answered when the test says so.
  private var told: [(ticket: Ticket, text: String)] = []

  final class Seen: Sendable {
    let answers = Atomic<Int>(0)
    let heads = Atomic<Int>(0)
    let delivered = Atomic<Int>(0)
    let undelivered = Atomic<Int>(0)
    /// Answers that came later and found their client gone.
    let lost = Atomic<Int>(0)
    /// How many requests for `/gate` may be answered; with the next one a worker does nothing else. From 2 on, `/pause` takes no time.
    let openGates = Atomic<Int>(0)
    let gates = Atomic<Int>(0)
    /// How many requests for `/told` may be answered.
    let tellings = Atomic<Int>(0)
    /// Turns of all workers.
    let turns = Atomic<Int>(0)
  }

  private var answeredTold = 0

  init(_ seen: Seen) { self.seen = seen }

  func bodyRule(of request: borrowing Request) -> BodyRule {
    seen.heads.count()
    if request.target.isText("/discard") { return .discard }
    if request.target.isText("/unread") { return .unread }
    return .collect(atMost: request.target.isText("/long") ? 20_000_000 : 1000)
  }

  func answer(_ request: borrowing Request, with response: inout Response) -> Answering {
    seen.answers.count()
    var text = "\(request.method.text) \(request.target.text) \(request.body.count)"
    if case .one(let place) = request.fields.find(Array("x-echo".utf8).span) {
      text += request.fields.value(place).text
    }
    text += "\n"
    if request.target.isText("/later") {
      later.append((request.ticket, text, 3))
      return .later
    }
    if request.target.isText("/soon") {
      later.append((request.ticket, text, 0))
      return .later
    }
    if request.target.isText("/told") {
      told.append((request.ticket, text))
      return .later
    }
    if request.target.isText("/never") { return .later }
    response.status = 200
    response.body.append(text)
    if request.target.begins(with: "/no-content") { response.status = 204 }
    if request.target.isText("/no-content") { response.body = [] }
    if request.target.isText("/slow") { usleep(300_000) }
    if request.target.isText("/pause"), seen.openGates.value < 2 { usleep(20_000) }
    if request.target.isText("/gate") {
      seen.gates.count()
      while seen.openGates.value < seen.gates.value { usleep(1000) }
    }
    if request.target.isText("/big") { response.body = Array(repeating: 0x62, count: 4_000_000) }
    if request.target.isText("/fields") { response.addField("X-One", "1") }
    if request.target.isText("/empty-field") { response.addField("X-One", "") }
    if request.target.isText("/broken-field") { response.addField("X-One", "a\r\nb: c") }
    if request.target.isText("/nul-field") { response.addField("X-One", "a\0b") }
    if request.target.isText("/peer") { response.body = Array("\(request.peer)".utf8) }
    return .now
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) {
    response.status = refusal.status
    response.body.append("refused: \(refusal)\n")
  }

  func answered(_ status: UInt16, delivered: Bool) {
    if delivered { seen.delivered.count() } else { seen.undelivered.count() }
  }

  func endTurn(_ ready: [UInt32], _ loop: inout WorkerLoop) -> UInt64? {
    seen.turns.count()
    var waiting: [(ticket: Ticket, text: String, turns: Int)] = []
    // Not in the order in which they came.
    for (ticket, text, turns) in later.reversed() {
      if turns > 0 { waiting.append((ticket, text, turns - 1)) } else { answer(ticket, text, &loop) }
    }
    later = waiting
    while answeredTold < seen.tellings.value, !told.isEmpty {
      answeredTold += 1
      let (ticket, text) = told.removeFirst()
      answer(ticket, text, &loop)
    }
    return later.isEmpty && told.isEmpty ? nil : MonotonicTime.now + 20_000_000
  }

  private func answer(_ ticket: Ticket, _ text: String, _ loop: inout WorkerLoop) {
    let isAnswered = loop.answer(ticket) { response in
      response.status = 200
      response.body.append(text)
    }
    if !isAnswered { seen.lost.count() }
    let isAnsweredTwice = loop.answer(ticket) { $0.status = 200 }
    #expect(!isAnsweredTwice, "no ticket is good twice")
  }
}

extension Span<UInt8> {
  var text: String { String(decoding: indices.map { self[$0] }, as: UTF8.self) }

  func isText(_ text: String) -> Bool { self.text == text }
}

extension [UInt8] {
  fileprivate mutating func append(_ text: String) { append(contentsOf: text.utf8) }
}
