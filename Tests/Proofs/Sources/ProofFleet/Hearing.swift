@testable internal import MediaToken

/// What hosts hear of the nodes' time, and what they remember of it.
extension Rules {
  /// At the beginning of each moment every host hears every node that has its epoch, as connections do every few seconds.
  func hearAll(_ state: inout State) {
    let moment = scenario.moments[Int(state.moment)]
    for host in scenario.hosts.indices {
      for node in 0..<scenario.nodes {
        for process in processes(of: node, for: host, state) {
          let data = state.processes[process].data
          let isInitialised = data.hasEpoch && data.epochIsOfNow
          let isOurs = Int(data.node) == node + 1 && data.fleet == scenario.hosts[host].fleet
          if isInitialised && isOurs || !isInitialised && scenario.flaw == .forgetsAfterALoss {
            hear(moment.nodes[process], of: node, by: host, showing: isInitialised ? data.from : nil, &state)
          }
        }
      }
    }
  }

  /// A host hears the time of a node.
  ///
  /// - Parameter from: the floor of the epoch, if it is shown; nil: it answers claims.
  func hear(_ time: Int, of node: Int, by host: Int, showing from: UInt8?, _ state: inout State) {
    guard scenario.remembers else { return }
    let own = scenario.moments[Int(state.moment)].hosts[host]
    let agrees = abs(own - time) <= NodeModel.clockTolerance || scenario.flaw == .ownClockAlways
    let latest = agrees ? max(own, time) : time
    for other in scenario.flaw == .floorByOtherNodes ? 0..<scenario.nodes : node..<node + 1 {
      // Where no clock goes far back, nothing can be forgotten, and whose the time was does not matter.
      guard forgets else {
        state.heard[host][other].ofEpoch = max(state.heard[host][other].ofEpoch, UInt8(latest))
        continue
      }
      var heard = state.heard[host][other].unpacked
      if other == node, scenario.flaw == .forgetsAfterALoss, Int(heard.highest) > time + Int(HeardTime.mostAhead) {
        heard = HeardTime(epoch: heard.epoch)
      }
      if other == node, let from, scenario.flaw != .neverForgets {
        let epoch = EpochMark(process: "", from: Int64(from))
        if scenario.flaw == .forgetsLostEpochs, heard.epoch != epoch { heard = HeardTime() }
        _ = heard.enter(epoch, at: Int64(time))
      }
      heard.note(Int64(latest), in: heard.epoch)
      state.heard[host][other] = Heard(heard)
    }
  }

  /// Whether no host should be kept from bearing a process, as what it showed is either no far time, or forgotten by all.
  func isBarred(_ process: Int, _ state: State) -> Bool {
    guard let far = scenario.far, process < scenario.honestNodes else { return false }
    let wasFar = scenario.moments[...Int(state.moment)].contains { $0.nodes[process] >= far }
    return !wasFar || state.processes[process].lostIn == state.moment + 1
  }
}

extension Heard {
  init(_ heard: HeardTime) {
    epoch = heard.epoch.map { UInt8($0.from) + 1 } ?? 0
    (ofEpoch, ofLostEpochs) = (UInt8(max(0, heard.ofEpoch)), UInt8(max(0, heard.ofLostEpochs)))
  }

  /// The real one.
  var unpacked: HeardTime {
    HeardTime(
      epoch: epoch == 0 ? nil : EpochMark(process: "", from: Int64(epoch) - 1), ofEpoch: Int64(ofEpoch),
      ofLostEpochs: Int64(ofLostEpochs))
  }
}
