/// The epoch of a node that answers, as far as a host can tell: the process, and the floor.
struct EpochMark: Sendable, Hashable {
  let process: String
  let from: Int64
}

/// The highest second that one node has shown a host.
struct HeardTime: Sendable {
  /// Those of the epoch that has shown itself last.
  private(set) var epoch: EpochMark?
  private(set) var ofEpoch = Int64.min
  /// Those of all epochs before it. Their votes may be lost, so none of this is forgotten.
  private(set) var ofLostEpochs = Int64.min

  /// The seconds by which a clock that comes back may have been ahead and count all the same: it costs a floor that much.
  /// With more it is forgotten, if that can be, and no epoch is begun if it can't.
  static let mostAhead: Int64 = 60

  init(epoch: EpochMark? = nil, ofEpoch: Int64 = .min, ofLostEpochs: Int64 = .min) {
    (self.epoch, self.ofEpoch, self.ofLostEpochs) = (epoch, ofEpoch, ofLostEpochs)
  }

  var highest: Int64 { max(ofEpoch, ofLostEpochs) }

  mutating func note(_ second: Int64, in epoch: EpochMark?) {
    if epoch == self.epoch { ofEpoch = max(ofEpoch, second) } else { ofLostEpochs = max(ofLostEpochs, second) }
  }

  /// This is the epoch, and its clock shows this second. Returns the time by which its clock was ahead, if that is
  /// forgotten: the node still has its votes of that time.
  mutating func enter(_ epoch: EpochMark, at second: Int64) -> Int64? {
    guard epoch == self.epoch else {
      (self.epoch, ofLostEpochs, ofEpoch) = (epoch, highest, second)
      return nil
    }
    guard ofEpoch > second + Self.mostAhead else { return nil }
    defer { ofEpoch = second }
    return ofEpoch - second
  }
}
