import Glibc

@testable import MediaToken

/// A memory that answers when a test says so, and what it says.
final class ScriptedLaterMemory: Store {
  /// For callers that can wait; these tests have no such callers.
  func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { throw .internalFault }

  var answersLater: Bool { true }

  func makePendingClaims() throws(Fault) -> any PendingClaims { try makeScript() }

  func makeScript() throws(Fault) -> ScriptedPendingClaims {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .replayMemoryUnavailable }
    return ScriptedPendingClaims(reader: ends[0], writer: ends[1])
  }
}

/// Claims that wait until a test answers them.
final class ScriptedPendingClaims: PendingClaims {
  let descriptor: Int32
  private let writer: Int32
  private var batch: [(claim: UseClaim, number: UInt64)] = []
  /// What was sent, turn by turn.
  private(set) var sent: [[(claim: UseClaim, number: UInt64)]] = []
  private var answers: [(number: UInt64, answer: Result<UseOutcome, Fault>)] = []

  init(reader: Int32, writer: Int32) { (descriptor, self.writer) = (reader, writer) }

  deinit {
    close(descriptor)
    close(writer)
  }

  func add(_ claim: UseClaim, number: UInt64, of caller: ClaimCaller) { batch.append((claim, number)) }

  func withdraw(_ number: UInt64) -> Bool { false }

  func send(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    sent.append(batch)
    batch = []
  }

  func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    let taken = answers
    answers = []
    var bytes = [UInt8](repeating: 0, count: taken.count)
    if !bytes.isEmpty { _ = unsafe read(descriptor, &bytes, bytes.count) }
    for (number, answer) in taken { body(number, answer) }
  }

  /// Lets the answer to a claim arrive.
  func answer(_ number: UInt64, _ answer: Result<UseOutcome, Fault>) {
    answers.append((number, answer))
    var byte: UInt8 = 1
    _ = unsafe write(writer, &byte, 1)
  }

  /// Whether a loop would come back for answers.
  var isReadable: Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, 0) == 1
  }
}
