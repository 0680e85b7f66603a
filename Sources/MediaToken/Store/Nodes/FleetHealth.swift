internal import MediaTokenSystem
internal import Synchronization

/// The knowledge that all threads of this process have of a fleet's nodes.
final class FleetHealth: Sendable {
  /// In the order of the address.
  let records: [NodeRecord]
  private let book: NodeBook
  private let votesNeeded: Int

  init(_ fleet: FleetAddress) {
    let book = NodeBook(nodes: fleet.nodes.count)
    self.book = book
    votesNeeded = fleet.votesNeeded
    records = fleet.nodes.enumerated().map { NodeRecord(number: $0.offset + 1, address: $0.element, in: book) }
  }

  /// The memory's condition for a token that is issued in this second since the epoch.
  func condition(at second: Int64) -> ReplayMemoryCondition {
    let known = book.current
    let floors = known.filter(\.isUsable).compactMap(\.handshake?.from).sorted()
    guard floors.count >= votesNeeded else {
      let nameless = known.count { !$0.isUsable && $0.refusal == nil && $0.isNameless }
      return floors.count + nameless < votesNeeded
        ? .nodesMissing(usable: floors.count, needed: votesNeeded)
        : .nodesNameless(usable: floors.count, needed: votesNeeded)
    }
    let floor = floors[votesNeeded - 1]
    return floor > second ? .warming(until: Instant(millisecondsSinceEpoch: floor * 1000)) : .usable
  }

  /// The nodes that said last, by the digest that this host has, that the fleet is retired: it is if so many say so as decide.
  var retiredNodes: Int { book.current.count { $0.refusal == .retired } }
  var isRetired: Bool { retiredNodes >= votesNeeded }

  /// The nodes that can't be asked, by number, and the reasons; nil if all can be.
  var troubles: String? {
    let troubles = zip(records, book.current).compactMap { record, known in
      known.trouble.map { "node \(record.number): \($0)" }
    }
    return troubles.isEmpty ? nil : troubles.joined(separator: "; ")
  }

  /// The first node with which no program may start, and the reason.
  var wrongNode: (record: NodeRecord, refusal: NodeRefusal)? {
    for (record, known) in zip(records, book.current) {
      if let refusal = known.refusal, refusal.forbidsStart { return (record, refusal) }
    }
    return nil
  }

  /// True if every node was connected to, is refused, or has failed once.
  private func isEveryNodeTried(_ known: [NodeKnown]) -> Bool {
    zip(records, known).allSatisfy { $1.isUsable || $1.refusal != nil || $0.wasLost }
  }

  func waitUntilTried(atMostMilliseconds most: UInt64) {
    book.wait(atMostMilliseconds: most) { isEveryNodeTried($0) }
  }

  /// The events to be logged now: one per second for each node. The time is in ``MonotonicTime``.
  func takeNews(at time: UInt64) -> [NodeNews] {
    book.change { nodes in
      records.compactMap { record in
        nodes[record.number - 1].news.take(at: time).map {
          NodeNews(node: record.number, address: record.address, event: $0)
        }
      }
    }
  }
}

package struct NodeNews: Sendable, Hashable {
  /// From 1, as in the fleet's address.
  package let node: Int
  /// As it is written.
  package let address: String
  package let event: NodeEvent
  /// Which fleet's it is while its host moves; nil: the only one's.
  package var side: JointTally.Side?
}

/// The durations of asking: a histogram.
final class AskDurations: Sendable {
  private let counts = InlineArray<13, Atomic<UInt64>> { _ in Atomic(0) }  // one more than the bounds
  private let nanoseconds = Atomic<UInt64>(0)

  private static let bounds = FleetReading.askBoundsSeconds.map { UInt64($0 * 1e9) }

  func count(_ claims: Int, after duration: UInt64) {
    let bucket = Self.bounds.firstIndex { duration <= $0 } ?? Self.bounds.count
    counts[bucket].add(UInt64(claims), ordering: .relaxed)
    nanoseconds.add(duration &* UInt64(claims), ordering: .relaxed)
  }

  /// The claims in each bucket, and the sum of their durations in seconds.
  var totals: (counts: [UInt64], seconds: Double) {
    (
      counts.indices.map { counts[$0].load(ordering: .relaxed) },
      Double(nanoseconds.load(ordering: .relaxed)) / 1e9
    )
  }
}
