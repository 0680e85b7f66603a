/// What a handshake has found.
package struct HandshakeResult: Sendable, Hashable {
  /// From which second on this incarnation of the seat vouches for tokens.
  package let from: Int64
  /// How far the seat's clock is ahead of ours.
  package let clockOffsetSeconds: Int64
  /// Whether the epoch was made by this handshake.
  let isBorn: Bool
  /// What distinguishes its process from every other.
  package let process: String
  /// The timeline of a database's data; nil for other seats.
  package let timeline: Int64?
  /// How far the seat's clock was ahead of what it shows now, in seconds, if that was forgotten by this handshake.
  var secondsSetBack: Int64?

  var epoch: EpochMark { EpochMark(process: process, from: from) }
}
