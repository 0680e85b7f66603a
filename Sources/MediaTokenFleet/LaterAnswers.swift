package import MediaToken
internal import MediaTokenSystem

// For a thread with a loop, which asks without waiting.

extension FleetMemory: LaterReplayMemory {
  package func makePendingClaims() throws(Fault) -> any PendingClaims { try takeOut() }
}

extension FleetClaims: PendingClaims {
  package var descriptor: Int32 { lanes.descriptor }

  package func send(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    send(at: MonotonicTime.now)
    handOver(body)
  }

  package func takeAnswers(_ body: (UInt64, Result<UseOutcome, Fault>) -> Void) {
    takeAnswers(at: MonotonicTime.now, body)
  }
}
