extension World {
  /// A way through the model, one line for each thing that happens except time.
  func trace(_ way: [Action]) -> [String] {
    var lines = ["the token is issued at \(second) s"]
    Rules(self).walk(way, from: start) { action, before, after in
      if case .time = action { return }
      lines.append("\(before.time) s: \(describe(action, before, after))")
    }
    return lines
  }

  private func describe(_ action: Action, _ before: State, _ after: State) -> String {
    switch action {
    case .time: ""
    case .start(let host, let server):
      "host \(host + 1) bears server \(server + 1): \(describe(after[server].data))"
    case .maintain(let host, let server, let meanwhile):
      "host \(host + 1) maintains server \(server + 1)\(meanwhile.text): \(describe(after[server].data))"
    case .claim(let claim, let server, let meanwhile, let isHeard):
      "claim \(claim + 1) of host \(claim % 2 + 1) reaches server \(server + 1)\(meanwhile.text): "
        + describe(after[server].data) + answer(isHeard, before, after)
    case .batch(let server, let isHeard):
      "all claims reach server \(server + 1) in one batch: \(describe(after[server].data))\(answer(isHeard, before, after))"
    case .replication(let standby): "server \(standby + 1) catches up: \(describe(after[standby].data))"
    case .copied(let server): "the files of server \(server + 1) are copied"
    case .disaster(let disaster, let server):
      "server \(server + 1): \(disaster), timeline \(after[server].timeline), clock \(after[server].clock), "
        + describe(after[server].data)
    }
  }

  private func answer(_ isHeard: Bool, _ before: State, _ after: State) -> String {
    !isHeard ? "; its reply is lost" : after.granted > before.granted ? "  => GRANTED" : "  => used"
  }

  private func describe(_ data: NodeData) -> String {
    let epoch =
      data.hasEpoch
      ? "epoch of timeline \(data.timeline), since \(data.since), seen \(data.seen)\(data.isMarked ? "" : ", put back")"
      : "no epoch"
    return "\(epoch), \(data.ballot == 0 ? "no ballot" : "ballot \(data.ballot)")"
  }
}

extension NodeModel.Meanwhile {
  fileprivate var text: String {
    switch self {
    case .nothing: ""
    case .emptied: ", whose table is emptied meanwhile"
    case .restored: ", where a dump is restored before it has its lock"
    case .restoredLater: ", where a dump is restored after it has stored"
    }
  }
}

extension NodeModel.Reply {
  var event: Coverage.Event {
    switch self {
    case .refused: .noEpoch
    case .new: .new
    case .present: .present
    case .forgotten: .forgotten
    case .ahead: .ahead
    }
  }
}
