/// The answers that a claimer was given, and what else is its own: 32 bytes.
struct Record: BitwiseCopyable {
  var lanes = SIMD32<UInt8>()

  /// How many answers there are.
  var count: Int { Int(lanes[31]) }
  /// Which of its clocks the claim under way has, plus one; 0: none is under way.
  var clock: Int {
    get { Int(lanes[30]) }
    set { lanes[30] = UInt8(newValue) }
  }
  /// How many claims are still to come.
  var claimsLeft: Int {
    get { Int(lanes[29]) }
    set { lanes[29] = UInt8(newValue) }
  }

  subscript(_ index: Int) -> UInt8 { lanes[index] }

  mutating func append(_ answer: UInt8) {
    precondition(count < 29, "a claim makes more accesses than a record holds")
    lanes[count] = answer
    lanes[31] += 1
  }

  /// The claim is over or begins again.
  mutating func forgetAnswers() {
    let kept = (lanes[30], lanes[29])
    lanes = SIMD32()
    (lanes[30], lanes[29]) = kept
  }
}

/// Everything there is at one moment: shared memory, what of it is on the disk, the claimers, and what was granted.
struct State: BitwiseCopyable {
  var memory = SIMD32<UInt8>()
  var claimers = (Record(), Record(), Record())

  /// What the numbers of `memory` are. Seconds count from the table's epoch.
  enum Lane: Int, CaseIterable {
    case highest, lease, durableLease
    /// The floor: seconds as well.
    case vouchesFrom
    /// Four open entries and their retry words: numbers in the scenario's list of words.
    case entries = 4
    case retryWords = 8
    /// The header as it was when it was last written to the disk.
    case diskHighest = 12
    case diskLease, diskDurableLease
    case killsLeft, overwritesLeft, lossesLeft
    /// How often the identity under proof was granted for the first time, and to which claimers it was granted at all.
    case firstUses, granted
    /// Whether a claimer was killed or the power failed; whether a claim ended as neither a grant nor `used`: 2 if that was a
    /// verdict by a clock that was behind.
    case wasDisturbed, wasRefused
    /// What the clocks say: a number in the scenario's list. Then a warming table's fields, and all of this as it is on the
    /// disk.
    case moment, machineStart, warmingUntil, diskVouchesFrom, diskMachineStart, diskWarmingUntil
    /// How many parts the table has, and when the first stops being looked at; and both as on the disk.
    case parts, partEnd, diskParts, diskPartEnd
  }

  subscript(_ lane: Lane, _ offset: Int = 0) -> UInt8 {
    get { memory[lane.rawValue + offset] }
    set { memory[lane.rawValue + offset] = newValue }
  }

  /// Who grows the table is in the place of a third claimer.
  var grower: Record {
    get { claimers.2 }
    set { claimers.2 = newValue }
  }

  subscript(claimer index: Int) -> Record {
    get { index == 0 ? claimers.0 : index == 1 ? claimers.1 : claimers.2 }
    set {
      switch index {
      case 0: claimers.0 = newValue
      case 1: claimers.1 = newValue
      default: claimers.2 = newValue
      }
    }
  }

  var fingerprint: UInt64 { ProofModel.fingerprint(of: self) }
}
