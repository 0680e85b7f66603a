/// The answer to a claim, without a claim: for explanations.
extension SharedReplayTable {
  /// It only reads: no entry is taken, and no clock is published. ``UseOutcome/firstUse`` promises nothing: ``spend(_:)``
  /// alone decides, and another claim may come first.
  package func peek(at claim: UseClaim) -> Result<UseOutcome, Fault> {
    let answer = lookWhileWhole(at: claim)
    return table.isBroken ? .failure(.replayMemoryUnavailable) : answer
  }

  private func lookWhileWhole(at claim: UseClaim) -> Result<UseOutcome, Fault> {
    guard !memory.isForked, let spend = spend(for: claim) else { return .failure(.replayMemoryUnavailable) }
    let highest = memory.loadHighest()
    guard !spend.isBehind(highest), header.covers(claim), isInPlace else {
      return .failure(.replayMemoryUnavailable)
    }
    // A claim would publish its clock before it looks.
    let latest = max(highest, spend.now)
    if latest >= spend.until { return .success(.expired) }
    if spend.issued < memory.loadVouchesFrom() { return .success(.predatesMemory) }
    do throws(Fault) {
      return try spend.peek(in: memory, at: latest)
    } catch {
      return .failure(error)
    }
  }

  /// A claim would retire a table whose file is not in its place.
  private var isInPlace: Bool {
    guard let file = memory.file else { return true }
    return (try? file.file.checkPlace()) != nil
  }
}
