import MediaTokenSystem
import Testing

@testable import MediaToken

/// The connections of a process to its database on a clock that a test sets, in seconds; what they do is told in words.
final class LinksTable {
  var links = DatabaseLinks()

  static func time(_ seconds: Double) -> UInt64 { UInt64(seconds * 1e9) }

  /// What a thread does; `sleeps`, with the second until which.
  func work(_ thread: Int, _ seconds: Double) -> String {
    let (work, end) = links.work(of: thread, at: Self.time(seconds))
    return work.map { "\($0)" } ?? (end == .max ? "sleeps" : Self.sleeps(until: Double(end) / 1e9))
  }

  static func sleeps(until seconds: Double) -> String { "sleeps until \((seconds * 1000).rounded() / 1000)" }

  func works(_ seconds: Double) -> [String] {
    (0..<DatabaseLinks.threads).map { work($0, seconds) }
  }

  func open(
    _ thread: Int, _ seconds: Double, chance: Double = 0, _ found: HandshakeResult = LinksTable.found()
  ) {
    links.opened(thread, found, since: Self.time(seconds), chance)
  }

  func asks(_ thread: Int, _ seconds: Double) { links.asks(thread, since: Self.time(seconds)) }

  func heard(_ thread: Int, _ seconds: Double) { links.heard(thread, at: Self.time(seconds)) }
  func wear(_ thread: Int) -> Bool { links.wear(thread) }

  func close(_ thread: Int) -> Bool { links.closed(thread) }
  func claims(_ seconds: Double) -> Int? { links.noteClaims(at: Self.time(seconds)) }
  func fail(_ seconds: Double, _ chance: Double = 0) { links.failed(at: Self.time(seconds), chance) }

  /// `usable`, `busy`, `connected`, and since which second it is silent.
  func view(_ seconds: Double) -> String {
    let view = links.view(at: Self.time(seconds))
    let words = [(view.isUsable, "usable"), (view.isBusy, "busy"), (view.isConnected, "connected")]
    let silence = view.silentSince.map { ["silent since \(Double($0) / 1e9)"] } ?? []
    return (words.filter(\.0).map(\.1) + silence).joined(separator: ", ")
  }

  /// One thread has a connection since a second, and has maintained the epoch.
  static func connected(_ seconds: Double = 10, chance: Double = 0) -> LinksTable {
    let table = LinksTable()
    #expect(table.work(0, seconds) == "dial")
    table.open(0, seconds, chance: chance)
    #expect(table.work(0, seconds) == "maintain")
    table.heard(0, seconds)
    // Claims may have come meanwhile.
    #expect(table.work(0, seconds) == "ask")
    return table
  }

  /// So many connections, each since a tenth of a second after the one before, which claims found too few.
  static func connected(count: Int) -> LinksTable {
    let table = connected()
    for thread in 1..<count {
      let time = 10 + Double(thread) / 10
      for other in 0..<thread { table.asks(other, time) }
      #expect(table.claims(time) == thread)
      #expect(table.work(thread, time) == "dial")
      table.open(thread, time)
      for other in 0..<thread { table.heard(other, time) }
    }
    return table
  }

  static func found(_ process: String = "a 00000001", from: Int64 = 5) -> HandshakeResult {
    HandshakeResult(from: from, clockOffsetSeconds: 0, isStarted: false, process: process, timeline: 1)
  }
}
