extension Scenario {
  /// A way through the model, one line for each thing that happens.
  func trace(_ way: [Action]) -> [String] {
    var lines = ["the token is issued at \(second) s; \(clocks(start))"]
    Rules(self).walk(way, from: start) { lines.append(describe($0, $1, $2)) }
    return lines
  }

  private func describe(_ action: Action, _ before: State, _ after: State) -> String {
    switch action {
    case .pass: return clocks(after)
    case .begin(let claim):
      let ballot = after.claims[claim].ballot
      return "\(name(claim)) of host \(tries[claim].host + 1) begins, with ballot \(ballot)"
        + (tries[claim].request.map { " of request \($0)" } ?? "")
    case .hear(let claim, let node):
      return "\(name(claim)) reads what node \(node + 1) answered" + outcome(claim, before, after)
    case .ask(let claim, let node, let process, let hearing):
      var line = "\(name(claim)) reaches node \(node + 1)\(place(node, process)): "
      line += "\(describe(before.processes[process].data)) -> \(describe(after.processes[process].data))"
      switch hearing {
      case .atOnce: line += outcome(claim, before, after)
      case .later: line += "; its reply is late"
      case .never: line += "; its reply is lost"
      }
      return line
    case .start(let host, let node, let process, let clockOf):
      return
        "host \(host + 1) bears node \(node + 1)\(place(node, process)) with its clock of moment \(clockOf + 1): "
        + describe(after.processes[process].data)
    case .found(let host, let node, let process):
      return
        "host \(host + 1) initialises node \(node + 1)\(place(node, process)) fresh: "
        + describe(after.processes[process].data)
    case .other(let second, let node, let process):
      return "another token of \(second) s is claimed from node \(node + 1)\(place(node, process)): "
        + describe(after.processes[process].data)
    case .fault(let claim): return "\(name(claim)) ends at its deadline; its ballot is kept"
    case .crash(let host): return "host \(host + 1) is killed"
    case .save(let process): return "process \(process + 1) saves its data"
    case .disaster(let disaster, let process):
      return "process \(process + 1): \(disaster), then \(describe(after.processes[process].data))"
    case .move:
      return "the address of node \(nodes) leads to another process: \(describe(after.processes[nodes].data))"
    case .moveBack: return "the address of node \(nodes) leads back to the first process"
    case .unspend(let claim, let process): return "\(name(claim)) takes its ballot back from process \(process + 1)"
    }
  }

  private func outcome(_ claim: Int, _ before: State, _ after: State) -> String {
    if after.firstUses > before.firstUses { return "  => FIRST USE" }
    if after.granted != before.granted { return "  => RETRY" }
    return after.claims[claim].phase == .open ? "" : "  => \(after.claims[claim].phase)"
  }

  private func name(_ claim: Int) -> String { "claim \(["A", "B", "C"][claim])" }

  private func place(_ node: Int, _ process: Int) -> String { node == process ? "" : " (process \(process + 1))" }

  private func clocks(_ state: State) -> String {
    let moment = moments[Int(state.moment)]
    return "clocks: hosts \(moment.hosts), nodes \(moment.nodes.prefix(nodes + (moves ? 1 : 0)))"
  }

  private func describe(_ data: NodeData) -> String {
    let epoch =
      data.hasEpoch
      ? "\(data.epochIsOfNow ? "" : "former ")epoch of node \(data.node), from \(data.from), high \(data.high)"
      : "no epoch"
    let bucket =
      data.hasBucket
      ? "\(data.bucketIsOfNow ? "" : "former ")bucket with \(data.ballot == 0 ? "nothing" : "ballot \(data.ballot)")"
      : "no bucket"
    return "\(epoch), \(bucket)"
  }
}
