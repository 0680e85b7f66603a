/// An event for a verifier's observer: for logs, counters and traces. No event shows a token's text or a viewer's GUID
/// by itself.
public enum VerifierEvent: Sendable {
  /// A token may play. The duration is that of the verification.
  case accepted(VerifiedToken, Duration)
  /// A token may not play, or there is no verdict. The duration is that of the verification.
  case refused(Refusal, Duration)
  /// The key files changed, and the keys with these fingerprints are trusted now.
  case keysReplaced([Fingerprint])
  /// The key files changed and can't be used; the keys of before stay trusted.
  case keysKept(SetupError)
  /// The replay memory's condition has changed.
  case replayMemory(ReplayMemoryCondition)
}
