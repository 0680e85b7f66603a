import MediaTokenSystem
import Testing

@testable import MediaToken

/// A loop's way to one node, driven by a test. Its time is the machine's, and can be set forward; with a peer that the test
/// plays itself it passes only as the test says.
final class NodeHarness {
  let record: NodeRecord
  let node: any Node
  /// What it said to batches, in order.
  private(set) var replies: [Reply] = []
  /// The batches with which a connection was lost.
  private(set) var lost: [UInt64] = []
  private let poller: Poller
  private var events: [Poller.Event] = []
  private var ahead: UInt64 = 0
  private let peer: ScriptedPeer?
  private let book: NodeBook
  private var batches: UInt64 = 0

  /// A node's reply to a batch; nil: it has no answer.
  struct Reply: Hashable {
    let batch: UInt64
    let answers: [NodeAnswer]?
  }

  /// - Parameter book: shared by the nodes of a fleet.
  init(
    _ fleet: NodeFixture, number: Int = 1, in book: NodeBook = NodeBook(nodes: 7), with peer: ScriptedPeer? = nil
  ) throws {
    (self.peer, self.book) = (peer, book)
    poller = try Poller()
    record = NodeRecord(number: number, address: fleet.address.nodes[number - 1], in: book)
    node = fleet.engine.makeNode(record, watchedBy: poller)
  }

  deinit { node.close() }

  var time: UInt64 { (peer == nil ? MonotonicTime.now : 1_000_000_000) + ahead }

  /// Lets this much time pass, without waiting.
  func pass(milliseconds: UInt64) { ahead += milliseconds * 1_000_000 }

  /// Why the node must not be asked.
  var refusal: NodeRefusal? { book.current[node.number - 1].refusal }

  /// What it said when it refused the user or a command, or a write.
  var deniedWords: String? { if case .denied(let words) = refusal { words.description } else { nil } }
  var writeWords: String? { if case .takesNoWrites(let words) = refusal { words.description } else { nil } }

  var isUsable: Bool { node.isUsable(at: time) }
  var isBusy: Bool { node.isBusy(at: time) }

  /// Turns until neither side has anything more to do now.
  func settle() {
    for _ in 0..<12 {
      turn()
      peer?.turn()
    }
  }

  /// One turn of a loop, at most this long.
  func turn(milliseconds: Int32 = 20) {
    var wait = peer == nil ? milliseconds : 0
    if let deadline = node.nextDeadline {
      wait = min(wait, deadline <= time ? 0 : Int32(clamping: (deadline - time) / 1_000_000 + 1))
    }
    let isWoken = poller.wait(milliseconds: wait, &events)
    guard isWoken || !events.isEmpty || node.nextDeadline.map({ $0 <= time }) == true else { return }
    node.work(at: time, isReady: !events.isEmpty) { reply in
      switch reply.end {
      case .answered(let answers): replies.append(Reply(batch: reply.claims.numbers[0], answers: answers))
      case .unanswered: replies.append(Reply(batch: reply.claims.numbers[0], answers: nil))
      case .lost: lost.append(reply.claims.numbers[0])
      }
    }
  }

  /// Turns until the condition holds.
  func until(
    _ what: Comment, seconds: UInt64 = 60, sourceLocation: SourceLocation = #_sourceLocation,
    _ isSo: (NodeHarness) -> Bool
  ) throws {
    let deadline = MonotonicTime.now + seconds * 1_000_000_000
    while !isSo(self) {
      try #require(MonotonicTime.now < deadline, what, sourceLocation: sourceLocation)
      turn()
      peer?.turn()
    }
  }

  func connect(sourceLocation: SourceLocation = #_sourceLocation) throws {
    try until("the node is not usable", sourceLocation: sourceLocation) { $0.isUsable }
  }

  // MARK: asking

  /// Asks for tokens of these numbers, issued at these seconds, and waits for the reply.
  func ask(
    _ claims: [(identity: UInt64, second: Int64)], ballot: UInt64 = 1,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [NodeAnswer]? {
    let number = send(claims, ballot: ballot)
    return try reply(to: number, sourceLocation: sourceLocation)
  }

  /// Sends without waiting.
  func send(_ claims: [(identity: UInt64, second: Int64)], ballot: UInt64 = 1) -> UInt64 {
    var batch = ClaimBatch()
    for (identity, second) in claims {
      batch.add(
        ClaimBatch.Claim(
          TokenIdentity(digest: SHA256Digest(words: identity, 0, 0, 0)),
          issueTime: Instant(millisecondsSinceEpoch: second * 1000), ballot: Self.ballot(ballot)))
    }
    batches += 1
    // A batch's number is that of its first claim.
    let numbers = Array(repeating: batches, count: claims.count)
    node.ask(TakenClaims(numbers: numbers, batch: batch, deadline: .max), at: time)
    return batches
  }

  /// Waits for the reply to a batch.
  func reply(to number: UInt64, sourceLocation: SourceLocation = #_sourceLocation) throws -> [NodeAnswer]? {
    try until("no reply", sourceLocation: sourceLocation) { $0.replies.contains { $0.batch == number } }
    let answers = replies.filter { $0.batch == number }
    #expect(answers.count == 1, sourceLocation: sourceLocation)
    return answers[0].answers
  }

  static func ballot(_ number: UInt64) -> Ballot { Ballot(Ballot.ID(number, 7), second: 1000) }
}
