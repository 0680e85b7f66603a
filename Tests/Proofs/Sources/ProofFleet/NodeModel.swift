/// The two scripts of a node, step by step as `FleetProtocol` numbers them. A flaw leaves one of the rules out.
struct NodeModel {
  let flaw: Flaw?
  /// The token's issue second.
  let second: Int
  /// ⌈(maxTTL + expiryTolerance) / 1 s⌉ + 1.
  let life: Int
  /// How far apart clocks may be.
  static let clockTolerance = 5
  /// How far above every clock a floor is, besides F: a node votes for 5 s more than F; its clock, or that of its address's next
  /// process, may be 5 s back; connections to the process before are used for 5 s, and a deadline of 1 s; and above is more than at.
  /// Of these a loss has the first two, an address that moves all but the second.
  static let floorMargin = 12

  /// By how much what a host heard may be above both clocks at a start.
  static let farAhead = 60

  /// Who calls: the number under which the caller knows the node, its fleet's digest, its F.
  struct Caller: Hashable {
    let node: UInt8
    let fleet: UInt8
    let ahead: Int
  }

  enum Refusal: UInt8 { case epoch, node, fleet, clock, far, old, data }

  enum Reply: Equatable {
    case refused(Refusal)
    case new
    case present(UInt8)
    case forgotten
    case ahead

    var inLua: String {
      switch self {
      case .refused(let refusal): "\(refusal)"
      case .new: "new"
      case .present(let ballot): "\(ballot)"
      case .forgotten: "F"
      case .ahead: "A"
      }
    }
  }

  private func isForeign(_ data: NodeData, to caller: Caller) -> Refusal? {
    guard data.hasEpoch else { return nil }
    if data.node != caller.node, flaw != .nodesWithoutNumber { return .node }
    if data.fleet != caller.fleet, flaw != .fleetsWithoutDigest { return .fleet }
    return nil
  }

  /// `claims` with one claim: of the token under proof with a ballot, or of another token of this second, without.
  func claim(_ data: inout NodeData, time: Int, _ caller: Caller, at claimed: Int, ballot: UInt8?) -> Reply {
    // 1.
    if let refusal = isForeign(data, to: caller) { return .refused(refusal) }
    guard data.hasEpoch, data.epochIsOfNow || flaw == .ownerIgnored else { return .refused(.epoch) }
    // 2.
    if claimed < Int(data.from) { return .forgotten }
    if claimed > Int(data.high) {
      if claimed > time + caller.ahead + Self.clockTolerance, flaw != .noAhead { return .ahead }
      makeBuckets(&data, from: max(Int(data.high) + 1, time - life), to: claimed)
    }
    // 3.
    guard let ballot else { return .new }
    if !data.hasBucket || !(data.bucketIsOfNow || flaw == .ownerIgnored) {
      guard flaw == .bucketMadeAgain else { return .forgotten }
      data.hasBucket = true
      data.bucketIsOfNow = true
      data.ballot = 0
    }
    guard data.ballot == 0 else { return .present(data.ballot) }
    data.ballot = ballot
    return .new
  }

  private func makeBuckets(_ data: inout NodeData, from first: Int, to last: Int) {
    data.high = UInt8(max(Int(data.high), last))
    guard first <= second, second <= last else { return }
    (data.hasBucket, data.bucketIsOfNow, data.ballot) = (true, true, 0)
  }

  /// Whose data the operator vouched for: those of now, or former ones.
  enum Fresh { case ours, former }

  /// `start`; nil if the node is initialised now.
  func start(
    _ data: inout NodeData, time: Int, _ caller: Caller, hostNow: Int, hostHighest: Int, fresh: Fresh? = nil
  ) -> Refusal? {
    // 1.
    if let refusal = isForeign(data, to: caller) { return refusal }
    let isOff = abs(time - hostNow) > Self.clockTolerance
    if data.hasEpoch, data.epochIsOfNow {
      let high = flaw == .startMakesBucketsAgain ? 0 : Int(data.high)
      if !isOff, time > high { makeBuckets(&data, from: max(high + 1, time - life), to: time) }
      return nil
    }
    // 2.
    if isOff { return .clock }
    // 3.
    if let fresh {
      if data.hasEpoch { return .old }
      if fresh == .former, flaw != .freshAfterALoss { return .data }
      (data.hasEpoch, data.epochIsOfNow, data.node, data.fleet) = (true, true, caller.node, caller.fleet)
      (data.from, data.high) = (0, 0)
      makeBuckets(&data, from: time - life, to: time)
      return nil
    }
    let isAdopted = flaw == .adoptedData && data.hasEpoch
    if !isAdopted {
      if hostHighest > max(time, hostNow) + Self.farAhead, flaw != .farFloor { return .far }
      var from = floor(time, caller.ahead, hostNow, hostHighest)
      if data.hasEpoch, flaw != .floorUnderOldHigh { from = max(from, Int(data.from), Int(data.high) + 1) }
      data.from = UInt8(from)
      data.high = UInt8(max(0, from - 1))
    } else {
      data.bucketIsOfNow = data.hasBucket
    }
    // 4.
    data.hasEpoch = true
    data.epochIsOfNow = true
    data.node = caller.node
    data.fleet = caller.fleet
    return nil
  }

  private func floor(_ time: Int, _ ahead: Int, _ hostNow: Int, _ hostHighest: Int) -> Int {
    switch flaw {
    case .noFloor: 0
    case .floorWithoutTolerance: max(time, hostNow, hostHighest) + Self.floorMargin
    case .floorForTrueClocks: max(time, hostNow, hostHighest) + ahead + Self.clockTolerance + 1
    case .floorByNodeAlone: time + ahead + Self.floorMargin
    case .floorByHostAlone: max(hostNow, hostHighest) + ahead + Self.floorMargin
    default: max(time, hostNow, hostHighest) + ahead + Self.floorMargin
    }
  }
}
