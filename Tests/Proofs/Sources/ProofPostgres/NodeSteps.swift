/// What a node does at every boundary: its data before, what it is asked, its reply, its data afterwards. steps.py has the real
/// functions do the same.
struct NodeSteps {
  private(set) var lines: [String] = []
  private let model = NodeModel(times: .real, flaw: nil, second: 130)

  private enum Asked {
    /// A batch: claims of the token, each with a ballot.
    case claims([UInt8])
    case maintain(hostNow: Int)
    case start(hostNow: Int, hostHighest: Int, fresh: Bool)
  }

  init() {
    for clock in [114, 115, 116, 124, 125, 150] {
      let times = [-6, -5, 0, 5, 6].map { clock + $0 }
      for data in Self.data(clock) {
        for ballots: [UInt8] in [[1], [2], [1, 2], [2, 1, 1], [2, 2]] { add(data, clock, .claims(ballots)) }
        // The token's slot decides nothing in these, and is emptied or not by either of two.
        guard data.hasMarker == (data.ballot == 1) else { continue }
        for hostNow in times + [clock - 40, clock + 16, clock + 17] {
          add(data, clock, .maintain(hostNow: hostNow))
          add(data, clock, .start(hostNow: hostNow, hostHighest: hostNow, fresh: false))
        }
        // Seconds are bytes here.
        for lead in clock == 114 ? [30, 60, 61, 100, 101] : [30, 60, 61] {
          add(data, clock, .start(hostNow: clock, hostHighest: clock + lead, fresh: false))
        }
        add(data, clock, .start(hostNow: clock, hostHighest: clock, fresh: true))
      }
    }
  }

  /// Every combination of what a node can hold, with numbers on both sides of every comparison.
  private static func data(_ clock: Int) -> [NodeData] {
    let slots: [(Bool, UInt8)] = [(false, 0), (true, 0), (true, 1), (false, 1)]
    var found = slots.map { NodeData(hasMarker: $0, ballot: $1) }
    for since in [0, 129, 130, 131, 200] {
      let seconds = [clock - 1, clock - 2, clock - 15, clock - 16, clock + 40]
      for seen in seconds.prefix(since % 130 == 0 ? 5 : 1) {
        for high: Int8 in [1, 2, 6, 7] {
          let others: [(UInt8, Bool)] = seen == clock - 1 && high == 2 ? [(2, true), (1, false)] : []
          for (timeline, isMarked) in [(1, true)] + others {
            found += slots.map {
              NodeData(
                hasEpoch: true, timeline: timeline, since: UInt8(since), high: high, seen: UInt8(seen),
                isMarked: isMarked, hasMarker: $0, ballot: $1)
            }
          }
        }
      }
    }
    return found
  }

  private mutating func add(_ before: NodeData, _ clock: Int, _ asked: Asked) {
    var after = before
    var (name, ballots, hostNow, highest, isFresh) = ("claims", [UInt8](), 0, 0, false)
    let reply: String
    switch asked {
    case .claims(let claims):
      ballots = claims
      let replies = model.claims(&after, timeline: 1, clock: clock, ballots: claims)
      reply = replies.allSatisfy { $0 == .refused(.epoch) } ? "MT001" : replies.map(\.letter).joined()
    case .maintain(let now):
      (name, hostNow) = ("maintain", now)
      reply = model.maintain(&after, timeline: 1, clock: clock, hostNow: now).state
    case .start(let now, let latest, let fresh):
      (name, hostNow, highest, isFresh) = ("start", now, latest, fresh)
      reply = model.start(&after, timeline: 1, clock: clock, hostNow: now, hostHighest: latest, fresh: fresh).state
    }
    let columns = [
      Self.columns(before), "\(clock)", name, "{\(ballots.map(String.init).joined(separator: ","))}", "\(hostNow)",
      "\(highest)", "\(isFresh)", reply, Self.columns(after),
    ]
    lines.append(columns.joined(separator: "\t"))
  }

  private static func columns(_ data: NodeData) -> String {
    let row =
      data.hasEpoch
      ? "\(data.timeline) \(data.since) \(data.high) \(data.seen) \(data.isMarked ? "marked" : "put-back")" : "-"
    return "\(row) \(data.hasMarker ? "m" : "-") \(data.ballot)"
  }
}

extension NodeModel.Reply {
  /// The letter of a claim's answer, and the ballot that is there.
  fileprivate var letter: String {
    switch self {
    case .refused: "?"
    case .new: "n"
    case .present(let ballot): "p\(ballot)"
    case .forgotten: "f"
    case .ahead: "a"
    }
  }
}

extension NodeModel.Refusal? {
  /// As SQLSTATE.
  fileprivate var state: String {
    switch self {
    case nil: "ok"
    case .epoch: "MT001"
    case .clock: "MT003"
    case .hasData: "MT004"
    }
  }
}
