import MediaTokenSystem
import Testing

@testable import MediaToken

/// What a node keeps, without a process: every ballot that it gave its vote to.
final class NodeStore: Sendable {
  private let kept = Monitor(Kept())

  private struct Kept: Sendable {
    var ballots: [ClaimBatch.IdentityPrefix: Ballot] = [:]
    var from = Int64.min
  }

  /// It has forgotten everything that was issued before this second, and may keep that for the future.
  func forget(before second: Int64) {
    kept.change { kept in
      kept.ballots = [:]
      kept.from = second
    }
  }

  func answer(_ claim: ClaimBatch.Claim) -> NodeAnswer {
    kept.change { kept in
      if claim.issueSecond < kept.from { return .forgotten }
      if let ballot = kept.ballots[claim.identity] { return .present(ballot) }
      kept.ballots[claim.identity] = claim.ballot
      return .new
    }
  }
}

/// A node that says what a test tells it to say, when it tells it to. A test's thread and that of a ``NodeLoop`` share it.
final class ScriptedNode: Node, Sendable {
  let number: Int
  let record: NodeRecord
  let store: NodeStore
  private let state = Monitor(State())
  private let wake: @Sendable () -> Void

  private struct State {
    var isUp = true
    var isBusy = false
    var isConnected = true
    var manner = Manner.answers
    var asked: [Asked] = []
    var replies: [NodeReply] = []
    /// The batches without a reply, each with the time when it was asked.
    var unanswered: [Int: UInt64] = [:]
    var lastHeard: UInt64 = 0
    var isClosed = false

    mutating func reply(_ end: NodeReply.End, to number: Int) {
      unanswered[number] = nil
      replies.append(NodeReply(claims: asked[number].claims, end: end))
    }
  }

  struct Asked: Sendable {
    let claims: TakenClaims
    let time: UInt64
    var batch: ClaimBatch { claims.batch }
  }

  enum Manner: Sendable {
    /// It votes, and its reply comes in the next turn.
    case answers
    /// It votes, and its reply comes when the test says so.
    case waits
    /// It votes, and its reply is lost.
    case losesReplies
    /// It votes, its connection is lost, and that is known in the next turn.
    case losesConnection
    /// It has no answer for the batch.
    case fails
  }

  /// `wake`: has its turns go on, if another thread does them.
  init(_ record: NodeRecord, _ store: NodeStore, wake: @escaping @Sendable () -> Void = {}) {
    (number, self.record, self.store, self.wake) = (record.number, record, store, wake)
  }

  // MARK: what a test tells it

  /// Whether it can be asked.
  var isUp: Bool {
    get { state.current.isUp }
    set { tell { $0.isUp = newValue } }
  }
  /// Whether it can be asked once it has answered.
  var isBusy: Bool {
    get { state.current.isBusy }
    set { tell { $0.isBusy = newValue } }
  }
  /// Whether there is hope that it can be asked soon.
  var isConnected: Bool {
    get { state.current.isConnected }
    set { tell { $0.isConnected = newValue } }
  }
  /// What it does when it is asked.
  var manner: Manner {
    get { state.current.manner }
    set { tell { $0.manner = newValue } }
  }

  private func tell(_ body: (inout State) -> Void) {
    state.change(body)
    wake()
  }

  /// What it was asked, in order: a batch's number is its place.
  var asked: [Asked] { state.current.asked }
  var isClosed: Bool { state.current.isClosed }

  /// Waits until it was asked so many batches.
  func waitUntilAsked(_ count: Int) { state.change(when: { $0.asked.count >= count }, { _ in }) }
  func waitUntilClosed() { state.change(when: \.isClosed, { _ in }) }

  /// Votes now on a batch that it was asked.
  func answer(_ number: Int) { say(asked[number].batch.claims.map(store.answer), to: number) }

  /// Its reply to a batch, whatever it voted; nil: it has no answer.
  func say(_ answers: [NodeAnswer]?, to number: Int) {
    tell { $0.reply(answers.map(NodeReply.End.answered) ?? .unanswered, to: number) }
  }

  // MARK: what it does

  func isUsable(at time: UInt64) -> Bool { state.change { $0.isUp && !$0.isBusy } }
  func isBusy(at time: UInt64) -> Bool { state.change { $0.isUp && $0.isBusy } }
  var nextDeadline: UInt64? { state.change { $0.replies.isEmpty ? nil : 0 } }
  var silentSince: UInt64? {
    state.change { state in state.unanswered.values.min().map { max($0, state.lastHeard) } }
  }

  func ask(_ claims: TakenClaims, at time: UInt64) {
    state.change { state in
      let number = state.asked.count
      state.asked.append(Asked(claims: claims, time: time))
      state.unanswered[number] = time
      let answers = state.manner == .waits || state.manner == .fails ? nil : claims.batch.claims.map(store.answer)
      switch state.manner {
      case .answers: state.reply(.answered(answers ?? []), to: number)
      case .waits, .losesReplies: break
      case .losesConnection: state.reply(.lost, to: number)
      case .fails: state.reply(.unanswered, to: number)
      }
    }
  }

  func work(at time: UInt64, isReady: Bool, _ hear: (NodeReply) -> Void) {
    let ready = state.change { state in
      defer { state.replies = [] }
      if !state.replies.isEmpty { state.lastHeard = time }
      return state.replies
    }
    for reply in ready { hear(reply) }
  }

  func close() { state.change { $0.isClosed = true } }
}

/// Nodes that a test controls. Those of all hosts have the same stores.
final class ScriptedEngine: NodeEngine {
  let stores: [NodeStore]
  private let made = Monitor<[ScriptedNode]>([])
  private let prepare: @Sendable (ScriptedNode) -> Void

  /// - Parameter prepare: is called with every node that is made.
  init(nodes: Int, _ prepare: @escaping @Sendable (ScriptedNode) -> Void = { _ in }) {
    stores = (0..<nodes).map { _ in NodeStore() }
    self.prepare = prepare
  }

  /// The same stores, asked by another process.
  init(_ other: ScriptedEngine) { (stores, prepare) = (other.stores, other.prepare) }

  /// All nodes that were made, in turn.
  var nodes: [ScriptedNode] { made.current }

  func makeNodes(_ records: [NodeRecord], wake: @escaping @Sendable () -> Void = {}) -> [ScriptedNode] {
    let nodes = records.map { ScriptedNode($0, stores[$0.number - 1], wake: wake) }
    nodes.forEach(prepare)
    made.change { $0 += nodes }
    return nodes
  }

  func makeAskers(_ records: [NodeRecord]) throws(SystemError) -> any NodeAskers {
    let woken = Monitor<WeakLoop>(WeakLoop())
    let nodes = makeNodes(records) { woken.current.loop?.wake(forClaims: true, forAlarm: false) }
    let loop = try NodeLoop { _ in nodes }
    woken.exchange(for: WeakLoop(loop: loop))
    return loop
  }

  /// Nodes are kept by their loop.
  private struct WeakLoop: Sendable {
    weak let loop: NodeLoop?
    init(loop: NodeLoop? = nil) { self.loop = loop }
  }
}
