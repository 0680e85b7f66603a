/// What a verifier tells its observer: for logs, counters and traces. No event shows a token's text or a viewer's GUID by itself.
public enum VerifierEvent: Sendable {
  /// A token may play; how long that took.
  case accepted(VerifiedToken, Duration)
  /// A token may not, or there is no verdict; how long that took.
  case refused(Refusal, Duration)
  /// The key files changed, and the keys with these fingerprints are trusted now.
  case keysReplaced([Fingerprint])
  /// The key files changed and can't be used; the keys of before stay trusted.
  case keysKept(SetupError)
  /// What the next new token would meet at the replay memory has changed.
  case replayMemory(ReplayMemoryCondition)
}
