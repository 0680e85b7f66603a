internal import MediaTokenSystem

/// Words of chance: 64 from one call of the kernel.
///
/// A forked child would make the same ones. It must not claim with its parent's source, and it does not: the lanes are its
/// parent's too.
struct WordSource {
  private var chance = [UInt64](repeating: 0, count: 128)
  private var used = 128

  /// The id of a claim that no other has.
  mutating func next() -> ClaimWord.ID {
    if used == chance.count {
      KernelRandom.fill(&chance)
      used = 0
    }
    defer { used += 2 }
    return ClaimWord.ID(chance[used], UInt32(truncatingIfNeeded: chance[used + 1]))
  }
}
