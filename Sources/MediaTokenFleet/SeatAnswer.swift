/// What a seat says to one claim. Everything else that it may say, an error above all, is no answer.
package enum SeatAnswer: Sendable, Hashable {
  /// It stored the word.
  case new
  /// This word is there already: ours or another's.
  case stands(ClaimWord)
  /// It has lost, or never knew, what was spent in the second of the token's issue, and votes for none of it again.
  case forgotten
  /// The token is issued further ahead of the seat's clock than it may be: the seat votes neither for nor against.
  case ahead
}
