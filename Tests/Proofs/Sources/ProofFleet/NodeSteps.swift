/// What a node is asked in one state.
struct NodeStep: Hashable {
  enum Asked: Hashable {
    /// One batch.
    case claims([Piece])
    case start(hostNow: Int, hostHighest: Int, NodeModel.Fresh?)
  }

  /// One claim of a batch: without a ballot, of another token.
  struct Piece: Hashable {
    let second: Int
    let ballot: UInt8?
  }

  let before: NodeData
  let time: Int
  let caller: NodeModel.Caller
  let asked: Asked
}

/// Steps of a node, each once, written for `node-steps.lua`, which has the real scripts take them too: those that a search
/// took, and those at every boundary, whether or not anything leads there.
struct NodeSteps {
  private var seen: Set<NodeStep> = []
  private(set) var lines: [String] = []

  mutating func add(_ step: NodeStep, _ model: NodeModel) {
    guard seen.insert(step).inserted else { return }
    var after = step.before
    let asked: String
    switch step.asked {
    case .claims(let pieces):
      let replies = pieces.map { piece in
        model.claim(&after, time: step.time, step.caller, at: piece.second, ballot: piece.ballot).inLua
      }
      let claims = pieces.map { "{\($0.second)\($0.ballot.map { ", \($0)" } ?? "")}" }
      asked = "claims = {\(claims.joined(separator: ", "))}, reply = {'\(replies.joined(separator: "', '"))'}"
    case .start(let now, let highest, let fresh):
      let refusal = model.start(
        &after, time: step.time, step.caller, hostNow: now, hostHighest: highest, fresh: fresh)
      let vouched = fresh.map { ", fresh = '\($0)'" } ?? ""
      asked = "now = \(now), highest = \(highest)\(vouched), reply = {'\(refusal.map { "\($0)" } ?? "made")'}"
    }
    let caller = "node = \(step.caller.node), fleet = \(step.caller.fleet), ahead = \(step.caller.ahead)"
    lines.append(
      "step{time = \(step.time), token = \(model.second), life = \(model.life), \(caller), \(asked), "
        + "before = \(Self.lua(step.before)), after = \(Self.lua(after))}")
  }

  /// Every combination of what a node can hold and be asked, with numbers on both sides of every comparison.
  mutating func addBoundaries() {
    let model = NodeModel(flaw: nil, second: 111, life: 40)
    let caller = NodeModel.Caller(node: 1, fleet: 1, ahead: 10)
    let pieces = [(111, 1), (111, 2), (110, nil), (112, nil)].map { NodeStep.Piece(second: $0, ballot: $1) }
    let batches = pieces.map { [$0] } + pieces.flatMap { first in pieces.map { [first, $0] } }
    for data in Self.data {
      for time in [95, 96, 97, 111, 150, 151, 152] {
        let starts = [-6, -5, 0, 5, 6].flatMap { offset in
          [(0, nil), (30, nil), (60, nil), (61, nil), (61, .ours), (0, .former)].map {
            NodeStep.Asked.start(hostNow: time + offset, hostHighest: time + max(0, offset) + $0.0, $0.1)
          }
        }
        for asked in starts + batches.map(NodeStep.Asked.claims) {
          add(NodeStep(before: data, time: time, caller: caller, asked: asked), model)
        }
      }
    }
  }

  private static var data: [NodeData] {
    var epochs = [NodeData()]
    for (from, high) in [(10, 20), (10, 110), (10, 111), (10, 112), (110, 109), (111, 110), (112, 111), (200, 199)]
    {
      for (isOfNow, node, fleet) in [(true, 1, 1), (false, 1, 1), (true, 2, 1), (true, 1, 2), (false, 1, 2)] {
        var data = NodeData()
        (data.hasEpoch, data.epochIsOfNow, data.node, data.fleet) = (true, isOfNow, UInt8(node), UInt8(fleet))
        (data.from, data.high) = (UInt8(from), UInt8(high))
        epochs.append(data)
      }
    }
    return epochs.flatMap { epoch in
      [epoch]
        + [(true, 0), (true, 1), (false, 0), (false, 1)].map { isOfNow, ballot in
          var data = epoch
          (data.hasBucket, data.bucketIsOfNow, data.ballot) = (true, isOfNow, UInt8(ballot))
          return data
        }
    }
  }

  private static func lua(_ data: NodeData) -> String {
    let epoch =
      "epoch = {now = \(data.epochIsOfNow), node = \(data.node), fleet = \(data.fleet), from = \(data.from), high = \(data.high)}"
    let bucket = "bucket = {now = \(data.bucketIsOfNow), ballot = \(data.ballot)}"
    return
      "{\([data.hasEpoch ? epoch : nil, data.hasBucket ? bucket : nil].compactMap(\.self).joined(separator: ", "))}"
  }
}
