package struct HandshakeResult: Sendable, Hashable {
  /// The second from which on this incarnation of the node vouches for tokens.
  package let from: Int64
  /// The time by which the node's clock is ahead of ours.
  package let clockOffsetSeconds: Int64
  let isStarted: Bool
  /// It distinguishes the node's process from every other.
  package let process: String
  /// The timeline of a database's data; nil for other nodes.
  package let timeline: Int64?
  /// The seconds by which the node's clock was ahead of its present time, if that was forgotten by this handshake.
  var secondsSetBack: Int64?

  var epoch: EpochMark { EpochMark(process: process, from: from) }
}
