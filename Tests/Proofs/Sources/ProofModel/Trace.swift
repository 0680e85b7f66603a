extension Scenario {
  /// A way through the model, one line for each thing that happens; lines of answers come from the rules themselves.
  func trace(_ start: State, _ way: [Action]) -> [String] {
    var lines = ["H = \(start[.highest]), lease on the disk \(start[.durableLease]); " + entries(start)]
    Rules(self).walk(way, from: start) { lines.append(describe($0, $1, $2)) }
    return lines
  }

  private func describe(_ action: Action, _ before: State, _ after: State) -> String {
    switch action {
    case .begin(let index, let clock):
      let spend = spends[index][clock]
      let (now, end) = (claimers[index].clocks[clock], seconds(spend.until))
      return "\(name(index)) claims at \(now) s; its entry ends at \(end) s"
    case .access(let index, let access):
      var line = "\(name(index)): \(describe(access, before, after))"
      let isOver = after[claimer: index].clock == 0
      if after[.firstUses] > before[.firstUses] {
        line += "  => FIRST USE"
      } else if after[.granted] != before[.granted] {
        line += "  => GRANTED AGAIN, as a retry"
      } else if isOver {
        line += "  => claim over"
      }
      return line
    case .grow(let access): return "the grower: \(describe(access, before, after))"
    case .kill(let index): return "\(name(index)) is killed"
    case .tick(let second): return "another process raises H to \(second)"
    case .overwrite(let entry, let word):
      let held = describe(before[.entries, entry])
      return "another process writes \(describe(word)) into \(label(entry)), which held \(held)"
    case .pass: return "the clocks go on: \(describe(Int(after[.moment])))"
    case .restart(let moment):
      return "every process closes the table, and the machine is restarted: \(describe(moment)), "
        + "floor \(after[.vouchesFrom])"
    case .loss(let lost, let headerLoss, let bootClock, let moment):
      let entries = open.indices.filter { lost & (1 << UInt8($0)) != 0 }.map(label).joined(separator: ", ")
      return "power loss: lost are \(entries.isEmpty ? "no entries" : entries)"
        + describe(headerLoss)
        + "; up again at \(isWarming ? describe(moment) : "\(bootClock - Int64(header.epoch)) s"), H = \(after[.highest]), "
        + "floor \(after[.vouchesFrom])"
    }
  }

  private func describe(_ loss: HeaderLoss) -> String {
    switch loss {
    case .nothing: ""
    case .everything: " and the header since its last msync"
    case .allButEnd: " and the header since its last msync, except for the end of the first part"
    case .allButParts: " and the header since its last msync, except for the number of parts"
    }
  }

  private func describe(_ moment: Int) -> String {
    "the wall clock says \(moments[moment].wall) s, the boot clock \(moments[moment].boot) s"
  }

  private func describe(_ access: Access, _ before: State, _ after: State) -> String {
    switch access {
    case .loadHighest: "loads H: \(before[.highest])"
    case .raiseHighest: "publishes H: \(after[.highest])"
    case .loadDurableLease: "loads the durable lease: \(before[.durableLease])"
    case .raiseDurableLease: "publishes the durable lease: \(after[.durableLease])"
    case .raiseLease: "writes the lease: \(after[.lease])"
    case .synchroniseHeader: "msync of the header returns"
    case .load(let entry): "loads \(label(openIndex(entry))): \(describe(before[.entries, openIndex(entry)]))"
    case .exchange(let entry, let expected, let desired):
      "exchanges \(label(openIndex(entry))), \(describe(code(of: expected))) for \(describe(code(of: desired))): "
        + (before[.entries, openIndex(entry)] == code(of: expected) ? "done" : "lost")
    case .loadRetry(let entry): "loads the retry word of \(label(openIndex(entry)))"
    case .loadVouchesFrom: "loads the floor: \(before[.vouchesFrom])"
    case .raiseVouchesFrom: "raises the floor: \(after[.vouchesFrom])"
    case .loadWarmingUntil: "loads when the table stops being warming: \(before[.warmingUntil])"
    case .endWarming: "ends the table's warming"
    case .loadMachineStart: "loads when the machine was started: \(Int(before[.machineStart]) - 50)"
    case .raiseMachineStart: "notes when the machine was started: \(Int(after[.machineStart]) - 50)"
    case .loadParts: "loads the number of parts: \(before[.parts])"
    case .storeParts: "adds a part"
    case .loadEnd: "loads when the first part stops being looked at: \(before[.partEnd])"
    case .storeEnd: "notes when the first part stops being looked at: \(after[.partEnd])"
    case .readClocks: "reads the clocks: \(describe(Int(before[.moment])))"
    case .storeRetry(let entry, _): "stores the retry word of \(label(openIndex(entry)))"
    }
  }

  private func entries(_ state: State) -> String {
    open.indices.map { "\(label($0)) holds \(describe(state[.entries, $0]))" }.joined(separator: ", ")
  }

  private func describe(_ code: UInt8) -> String {
    let word = word(code)
    guard word != 0 else { return "nothing" }
    let place = spends.indices.first { word >> TableFormat.endBits == EntryPlace.tag(spends[$0][0].hash) }
    let owner = place.map { claimers[$0].token.identity == World.identity ? "the token" : "a neighbour" }
    return "\(owner ?? "a stranger") until \(word & TableFormat.endMask)"
  }

  private func label(_ open: Int) -> String {
    (grows ? ["A0", "B0", "new A0", "new B0"] : ["A0", "B0", "A1", "B1"])[open]
  }
  private func name(_ index: Int) -> String { ["P", "Q", "R"][index] }
}
