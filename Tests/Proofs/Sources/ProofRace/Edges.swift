import Glibc
import ProofKit

@testable import MediaToken

/// What honest hashes meet once in 2³⁶ tokens.
struct Edges {
  let folder: String

  /// Threads race for hashes of all zeros and all ones, and for two identities with one tag: a collision may refuse,
  /// and does not grant twice (cases 133, 134).
  func run() {
    let (rounds, threads) = (20_000, 8)
    let counts = SharedWords("\(folder)/tags.counts", count: rounds * 4)
    let table: SharedReplayTable
    do throws(Problem) {
      table = try SharedReplayTable(anonymousWithCapacity: 64, policy: policy)
    } catch {
      fail("\(error)")
    }
    let base = UInt64(wallClock())
    let (memory, header) = (table.table, table.header)
    let epoch = memory.load(.epoch)
    onThreads(threads) { thread in
      let bare = SharedMemory(table: memory, header: header, file: nil)
      for round in 0..<rounds {
        // Each round is a life of one second: what the last one left is dead.
        let now = base + UInt64(round)
        for (kind, hash) in Self.hashes(round, thread).enumerated() {
          let spend = Spend(
            hash: hash, until: now + 1, end: now + 1 - epoch,
            issued: Int64(now) * 1000, now: now, retry: nil)
          guard (try? spend.run(in: bare)) == .success(.firstUse) else { continue }
          // The third kind is two identities, by turns of even and of odd threads.
          counts.add(1, at: round * 4 + (kind == 2 ? 2 + (thread + round) % 2 : kind))
        }
      }
    }
    var wins = [0, 0, 0, 0]
    for round in 0..<rounds {
      for kind in wins.indices {
        let count = Int(counts[round * 4 + kind])
        require(count <= 1, "\(["a tag of zeros", "a tag of ones", "one tag", "one tag"][kind]): \(count) grants")
        wins[kind] += count
      }
    }
    say(
      "tags: \(rounds) rounds of \(threads) threads: \(wins[0]) grants of a hash of zeros, \(wins[1]) of ones, "
        + "\(wins[2]) and \(wins[3]) of two identities with one tag; 0 granted twice")
    require(wins.allSatisfy { $0 > rounds / 100 }, "too few grants: \(wins)")
  }

  /// Zeros, ones, and two identities whose tag and first bucket are the same.
  private static func hashes(_ round: Int, _ thread: Int) -> [(UInt64, UInt64)] {
    let tag = UInt64(round + 1) << 32
    return [(0, 0), (.max, .max), (tag, (thread + round) % 2 == 0 ? 0 : 0xFFFF_FFFF)]
  }
}
