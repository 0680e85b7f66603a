import BenchmarkTokens
import Glibc
import MediaToken

/// Spends distinct identities on a table. Sendable, because each is used by one thread at a time.
final class Spender: @unchecked Sendable {
  private let table: SharedReplayTable
  private let share: Int
  /// How many spends before its own the table is told to prepare for an identity; 0: it is not.
  private let lead: UInt64
  /// The number of the next identity.
  private var next: UInt64
  /// How many were spent since the clock was put ahead.
  private var spent = 0
  private var aheadMilliseconds: Int64 = 0

  /// - Parameter worker: no other has its identities.
  init(on table: SharedReplayTable, share: Int, worker: Int, lead: Int = 0) {
    self.table = table
    self.share = share
    self.lead = UInt64(lead)
    next = UInt64(worker) << 40
  }

  /// Spends new identities; each must be a first use.
  func spendNew(_ count: Int) {
    var left = count
    while left > 0 {
      if spent == share { endAll() }
      let some = min(left, share - spent)
      spend(next..<(next + UInt64(some)), expecting: .firstUse)
      next += UInt64(some)
      spent += some
      left -= some
    }
  }

  /// Spends the last identities once more; each must be refused as used.
  func spendUsed(_ count: Int) {
    guard count <= spent else { fail("expected at most \(spent) used identities, found \(count)") }
    spend((next - UInt64(count))..<next, expecting: .alreadyUsed)
  }

  /// Puts the clock two hours ahead: every entry has ended.
  func endAll() {
    aheadMilliseconds += 7_200_000
    spent = 0
  }

  /// The nanoseconds that each of these took, two readings of the clock with it.
  func timesOfNew(_ count: Int) -> [Int64] {
    (0..<count).map { _ in
      if spent == share { endAll() }
      let claim = claim(identity(next), at: now)
      let begin = nanoseconds(CLOCK_MONOTONIC)
      spend(claim, expecting: .firstUse)
      next += 1
      spent += 1
      return nanoseconds(CLOCK_MONOTONIC) - begin
    }
  }

  /// Reads the clock now and then, as a service does that has other work too.
  private func spend(_ numbers: Range<UInt64>, expecting outcome: UseOutcome) {
    var now = now
    for number in numbers {
      if number & 1023 == 0 { now = self.now }
      if lead > 0 { table.prepare(for: claim(identity(number + lead), at: now).identity) }
      spend(claim(identity(number), at: now), expecting: outcome)
    }
  }

  @inline(__always)
  private func spend(_ claim: UseClaim, expecting outcome: UseOutcome) {
    do throws(Fault) {
      let found = try table.spend(claim)
      guard found == outcome else { fail("expected \(outcome), found \(found)") }
    } catch {
      fail("expected \(outcome), found \(error)")
    }
  }

  private var now: Instant { Instant(millisecondsSinceEpoch: milliseconds() + aheadMilliseconds) }
}

/// 32 bytes that look random.
@inline(__always)
private func identity(_ number: UInt64) -> InlineArray<4, UInt64> {
  [splitmix64(number * 4), splitmix64(number * 4 + 1), splitmix64(number * 4 + 2), splitmix64(number * 4 + 3)]
}

/// G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators".
@inline(__always)
private func splitmix64(_ number: UInt64) -> UInt64 {
  var word = (number &+ 1) &* 0x9E37_79B9_7F4A_7C15
  word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
  word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
  return word ^ word >> 31
}
