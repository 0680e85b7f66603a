/// Everything there is at one moment: what the processes of the nodes hold, the claims, and what was granted. Bytes only, so
/// that two states are the same when their bytes are.
///
/// Times are seconds of one small world, 0 to 255. Of all tokens one is under proof; others only raise `high`.
struct State {
  static let mostProcesses = 5
  static let mostClaims = 3

  var processes = InlineArray<5, Process>(repeating: Process())
  var claims = InlineArray<3, Claim>(repeating: Claim())
  /// Which of the scenario's moments it is.
  var moment: UInt8 = 0
  var disastersLeft: UInt8 = 0
  var crashesLeft: UInt8 = 0
  /// The moment in which the last node's address was moved to another process, plus one; 0: it was not.
  var moved: UInt8 = 0
  /// The same for its way back to the first one.
  var returned: UInt8 = 0
  /// How often the token was granted for the first time, and a bit for each ballot that it was granted to at all.
  var firstUses: UInt8 = 0
  var granted: UInt8 = 0
  /// What each host has heard of each node's time.
  var heard = InlineArray<2, InlineArray<5, Heard>>(repeating: InlineArray(repeating: Heard()))
  /// Whether a host was kept from a start by a time that it should not have remembered.
  var barred: UInt8 = 0

  var fingerprint: UInt64 { ProofFleet.fingerprint(of: self) }
}

/// What a host remembers of a node's time: a ``HeardTime`` in bytes.
struct Heard: Equatable {
  /// The floor of the epoch plus one; 0: none.
  var epoch: UInt8 = 0
  var ofEpoch: UInt8 = 0
  var ofLostEpochs: UInt8 = 0

  var highest: UInt8 { max(ofEpoch, ofLostEpochs) }
}

/// A process that answers for a node, its data, and an older copy of them: an RDB file, or a replica that lags.
struct Process: Equatable {
  var data = NodeData()
  var hasCopy = false
  var copy = NodeData()
  /// The moment in which it lost its first epoch, plus one; 0: in none, or it is of no interest.
  var lostIn: UInt8 = 0
  /// It has lost others since.
  static let lostAgain = UInt8.max
  /// Whether its marker is still the one that an operator saw who looked at it without an epoch.
  var isAsSeen = false
}

/// The data of a node, as far as they concern the token.
struct NodeData: Hashable {
  /// `{mt2:FLEET}`.
  var hasEpoch = false
  /// Whether `owner` is the process's marker. A marker that changed never comes back.
  var epochIsOfNow = false
  var node: UInt8 = 0
  var fleet: UInt8 = 0
  var from: UInt8 = 0
  var high: UInt8 = 0
  /// `{mt2:FLEET}:SECOND` of the token's second.
  var hasBucket = false
  var bucketIsOfNow = false
  /// The ballot that the node has for the token: a claim's number plus one, the one that made the ballot; 0: nothing.
  var ballot: UInt8 = 0
}

/// One try to use the token.
struct Claim: Equatable {
  /// Over is one that was granted or whose host is gone; kept one whose ballot waits for another try after a fault.
  enum Phase: UInt8 { case notYet, open, over, refused, kept }
  var phase = Phase.notYet
  /// The number, plus one, of the claim that made its ballot: its own, unless the ballot was kept after a fault.
  var ballot: UInt8 = 0
  /// In which moment the ballot was made.
  var madeIn: UInt8 = 0
  /// What each node answered that counted, as ``Answer/code``; 0: nothing yet.
  var answers = InlineArray<5, UInt8>(repeating: 0)
  /// What nodes answered and the host has not read yet.
  var late = InlineArray<5, UInt8>(repeating: 0)

  static func == (one: Claim, other: Claim) -> Bool {
    guard one.phase == other.phase, one.ballot == other.ballot, one.madeIn == other.madeIn else { return false }
    for index in one.answers.indices {
      guard one.answers[index] == other.answers[index], one.late[index] == other.late[index] else { return false }
    }
    return true
  }
}
