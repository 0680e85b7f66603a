@testable internal import MediaToken

/// What can happen next.
enum Action: Hashable {
  case pass
  case begin(Int)
  /// A claim's command reaches a process over the way to this seat; then its reply is read at once, later or never.
  case ask(claim: Int, seat: Int, process: Int, Hearing)
  case hear(claim: Int, seat: Int)
  /// A host, with its clock as it was in that moment, bears the process that this seat's address leads to.
  case birth(host: Int, seat: Int, process: Int, clockOf: Int)
  /// An operator at this host founds the seat fresh.
  case found(host: Int, seat: Int, process: Int)
  case other(second: Int, seat: Int, process: Int)
  case fault(Int)
  case crash(Int)
  case save(Int)
  case disaster(Scenario.Disaster, Int)
  case move(withData: Bool)
  case moveBack
  /// A flaw: a claim that was not granted takes its ballot back.
  case unspend(Int, Int)
}

enum Hearing { case atOnce, later, never }

enum Violation: String {
  /// All clocks are right again, and a host refuses to bear a seat.
  case barred = "barred from a birth by a time that does not count"
  case doubleGrant = "granted twice"
  /// A seat votes for no token until a time that no honest clock came near.
  case poisoned = "a floor that no honest clock explains"
  case endless = "goes round in a circle"
}

/// The rules by which a state becomes another.
final class Rules {
  let scenario: Scenario
  /// Whether a clock goes back by so much that hosts may forget what it showed.
  let forgets: Bool
  var coverage = Coverage()
  private let model: SeatModel
  /// In each moment the highest floor that honest clocks explain.
  private let floors: [Int]
  /// Nil unless they are wanted.
  var steps: SeatSteps?

  init(_ scenario: Scenario) {
    self.scenario = scenario
    model = SeatModel(flaw: scenario.flaw, second: scenario.second, life: scenario.life)
    let clocks = scenario.moments.map { $0.seats + $0.hosts }
    forgets = clocks.indices.contains { index in
      clocks[..<index].contains { zip($0, clocks[index]).contains { $0 > $1 + 60 } }
    }
    let ahead = scenario.hosts.map(\.ahead).max() ?? 0
    floors = scenario.moments.indices.map { last in
      let clocks = scenario.moments[...last].flatMap { scenario.honestClocks(in: $0) }
      return (clocks.max() ?? 0) + ahead + SeatModel.floorMargin
    }
  }

  var starts: [State] {
    var start = scenario.start
    hearAll(&start)
    return [start]
  }

  func violation(in state: State) -> Violation? {
    if state.firstUses > 1 || state.granted.nonzeroBitCount > 1 { return .doubleGrant }
    if state.barred != 0 { return .barred }
    guard scenario.hasLiar || scenario.far != nil else { return nil }
    let isPoisoned = (0..<scenario.honestSeats).contains { seat in
      let data = state.processes[seat].data
      return data.epochIsOfNow && Int(data.seat) == seat + 1 && Int(data.from) > floors[Int(state.moment)]
    }
    return isPoisoned ? .poisoned : nil
  }

  func forEachSuccessor(of state: State, _ body: (Action, State) -> Void) {
    let moment = scenario.moments[Int(state.moment)]
    func take(_ action: Action, _ next: State) {
      var next = next
      if self.scenario.isSymmetric { next.sortSeats(self.scenario.honestSeats) }
      body(action, next)
    }
    if Int(state.moment) + 1 < scenario.moments.count {
      var next = state
      next.moment += 1
      hearAll(&next)
      coverage.met(.passed)
      take(.pass, next)
    }
    for claim in scenario.tries.indices { claims(claim, state, moment, take) }
    for seat in 0..<scenario.seats {
      for host in scenario.hosts.indices {
        for process in processes(of: seat, for: host, state) { births(host, seat, process, state, take) }
      }
      for process in processes(of: seat, for: 0, state) {
        for second in scenario.others {
          var next = state
          let caller = caller(0, seat)
          let before = next.processes[process].data
          _ = claim(&next.processes[process].data, moment.seats[process], caller, at: second, ballot: nil)
          if next.processes[process].data != before {
            coverage.met(.other)
            take(.other(second: second, seat: seat, process: process), next)
          }
        }
      }
    }
    if scenario.crashes > 0 { crashes(state, moment, take) }
    disasters(state, take)
  }

  func claim(
    _ data: inout SeatData, _ time: Int, _ caller: SeatModel.Caller, at second: Int, ballot: UInt8?
  ) -> SeatModel.Reply {
    if steps != nil {
      let asked = SeatStep.Asked.claims([SeatStep.Piece(second: second, ballot: ballot)])
      steps?.add(SeatStep(before: data, time: time, caller: caller, asked: asked), model)
    }
    return model.claim(&data, time: time, caller, at: second, ballot: ballot)
  }

  private func birth(
    _ data: inout SeatData, _ time: Int, _ caller: SeatModel.Caller, hostNow: Int, hostHighest: Int,
    fresh: SeatModel.Fresh? = nil
  ) -> SeatModel.Refusal? {
    if steps != nil {
      let asked = SeatStep.Asked.birth(hostNow: hostNow, hostHighest: hostHighest, fresh)
      steps?.add(SeatStep(before: data, time: time, caller: caller, asked: asked), model)
    }
    return model.birth(&data, time: time, caller, hostNow: hostNow, hostHighest: hostHighest, fresh: fresh)
  }

  func caller(_ host: Int, _ seat: Int) -> SeatModel.Caller {
    SeatModel.Caller(
      seat: UInt8(seat + 1), fleet: scenario.hosts[host].fleet, ahead: scenario.hosts[host].ahead)
  }

  /// Where a seat's address leads: to two processes while connections to the old one are young.
  func processes(of seat: Int, for host: Int, _ state: State) -> [Int] {
    let process = scenario.hosts[host].route?[seat] ?? seat
    guard state.moved != 0, seat == scenario.seats - 1 else { return [process] }
    let last = max(state.moved, state.returned)
    let since = scenario.moments[Int(state.moment)].real - scenario.moments[Int(last) - 1].real
    let now = state.returned == 0 ? scenario.seats : process
    return since <= scenario.connectionAge ?? since ? [scenario.seats, process] : [now]
  }

  private func births(
    _ host: Int, _ seat: Int, _ process: Int, _ state: State, _ take: (Action, State) -> Void
  ) {
    let data = state.processes[process].data
    if scenario.founds { found(host, seat, process, state, take) }
    let isSeated = data.hasEpoch && data.epochIsOfNow
    guard scenario.makesBuckets || !isSeated else { return }
    // What a host asks for may arrive late.
    for moment in 0...Int(state.moment) {
      var next = state
      let now = scenario.moments[moment].hosts[host]
      let refusal = birth(
        &next.processes[process].data, scenario.moments[Int(state.moment)].seats[process], caller(host, seat),
        hostNow: now, hostHighest: max(now, moment == Int(state.moment) ? Int(state.heard[host][seat].highest) : 0))
      let isChanged = next.processes[process].data != data
      if isSeated, !isChanged { continue }
      if refusal == .far, isBarred(process, state) { next.barred = 1 }
      coverage.met(refusal?.event ?? (isSeated ? .bucketsMade : moment == Int(state.moment) ? .birth : .lateBirth))
      if refusal == nil || next.barred != 0 {
        take(.birth(host: host, seat: seat, process: process, clockOf: moment), next)
      }
    }
  }

  private func found(
    _ host: Int, _ seat: Int, _ process: Int, _ state: State, _ take: (Action, State) -> Void
  ) {
    var next = state
    let moment = scenario.moments[Int(state.moment)]
    let refusal = birth(
      &next.processes[process].data, moment.seats[process], caller(host, seat), hostNow: moment.hosts[host],
      hostHighest: moment.hosts[host], fresh: state.processes[process].isAsSeen ? .ours : .former)
    guard next.processes[process] != state.processes[process] || refusal != nil else { return }
    coverage.met(refusal?.event ?? .founded)
    if refusal == nil { take(.found(host: host, seat: seat, process: process), next) }
  }

  private func crashes(_ state: State, _ moment: Scenario.Moment, _ take: (Action, State) -> Void) {
    guard state.crashesLeft > 0 else { return }
    for host in scenario.hosts.indices {
      var next = state
      next.crashesLeft -= 1
      for claim in scenario.tries.indices where scenario.tries[claim].host == host {
        switch next.claims[claim].phase {
        case .open, .kept: next.end(claim, .over)
        default: continue
        }
      }
      next.heard[host] = InlineArray(repeating: Heard())
      coverage.met(.crash)
      take(.crash(host), next)
    }
  }
}

extension State {
  /// What a claim was told matters no more.
  mutating func end(_ claim: Int, _ phase: Claim.Phase) {
    claims[claim].phase = phase
    claims[claim].answers = InlineArray(repeating: 0)
    claims[claim].late = InlineArray(repeating: 0)
  }
}
