/// A node as those who ask it see it.
struct NodeView {
  /// It can be asked now.
  var isUsable = false
  /// It can be asked once it has answered, or its next connection is there.
  var isBusy = false
  /// There is a connection, or one is being made.
  var isConnected = false
  /// The time when it was heard last, or was asked after that, if it has not answered since.
  var silentSince: UInt64?
  /// The first place of the log that it was not asked about.
  var next: UInt64 = 0
  /// What a lost connection had taken.
  var returned: [UInt64] = []

  func isSilent(for nanoseconds: UInt64, at time: UInt64) -> Bool {
    silentSince.map { time >= $0 &+ nanoseconds } == true
  }

  /// Takes over what is seen of it now.
  mutating func see(_ now: NodeView) {
    (isUsable, isBusy, isConnected) = (now.isUsable, now.isBusy, now.isConnected)
    silentSince = now.silentSince
  }
}
