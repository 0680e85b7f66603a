internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem
internal import Synchronization

/// How far a batch is, for a person who looks at a terminal.
enum Progress {
  private static let isShown = StandardStreams.errorIsTerminal
  /// When the line was drawn last, in milliseconds since the epoch.
  private static let lastDrawn = Atomic<Int64>(0)

  /// Draws the line anew, twice a second at most.
  static func show(_ pipeline: Monitor<Pipeline>) {
    guard isShown else { return }
    let now = Instant.now.millisecondsSinceEpoch
    let last = lastDrawn.load(ordering: .sequentiallyConsistent)
    guard now - last >= 500,
      lastDrawn.compareExchange(expected: last, desired: now, ordering: .sequentiallyConsistent).exchanged
    else { return }
    StandardError.raw("\r\(pipeline.change { $0.counts.lines }) lines")
  }

  /// Takes the line away.
  static func end() {
    if isShown { StandardError.raw("\r\u{1B}[K") }
  }
}
