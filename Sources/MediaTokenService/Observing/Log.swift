internal import MediaToken
package import MediaTokenFormats
package import MediaTokenSystem
internal import Synchronization

/// The log: one JSON object per line, on standard error. No thread waits for it. Lines go into a bounded queue, and one
/// thread writes them with one system call each. A line is dropped and counted if the queue or the disk is full, or if
/// the stream is not read.
package final class Log: Sendable {
  /// The most bytes that wait to be written.
  static let queueBytes = 256 * 1024

  private let queue = Monitor(Queue())
  private let descriptor: Int32
  /// For systemd's journal: each line begins with its priority.
  private let hasPriorities: Bool

  private struct Queue {
    var lines: [[UInt8]] = []
    var bytes = 0
    var isWriting = false
    var isClosed = false
    var dropped: UInt64 = 0

    /// True if the thread that writes has lines to write, or nothing to wait for any more.
    var hasWork: Bool { !lines.isEmpty || isClosed }
  }

  package enum Level: String, Sendable {
    case info, warning, error

    fileprivate var priority: JournalPriority {
      switch self {
      case .info: .information
      case .warning: .warning
      case .error: .error
      }
    }
  }

  /// The descriptor stays the caller's. If it leads to systemd's journal, lines begin with their priority, which the
  /// journal takes for its own and removes.
  package init(descriptor: Int32) throws(SystemError) {
    self.descriptor = descriptor
    hasPriorities = Journal.isWritten(through: descriptor)
    // The thread does not keep the log alive.
    try WorkerThread { [queue] in Self.write(from: queue, to: descriptor) }.detach()
  }

  var dropped: UInt64 { queue.change { $0.dropped } }

  /// The members follow `time`, `level` and `event`.
  package func write(_ level: Level, _ event: String, _ members: (inout JSONWriter) -> Void = { _ in }) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("time", Instant.now.description)
      writer.member("level", level.rawValue)
      writer.member("event", event)
      members(&writer)
    }
    writer.endLine()
    let line = hasPriorities ? Array(level.priority.prefix.utf8) + writer.bytes : writer.bytes
    queue.change { queue in
      guard queue.bytes + line.count <= Self.queueBytes, !queue.isClosed else {
        queue.dropped += 1
        return
      }
      queue.lines.append(line)
      queue.bytes += line.count
    }
  }

  package func say(_ level: Level, _ event: String, _ message: String) {
    write(level, event) { $0.member("message", message) }
  }

  /// Waits until everything is written, but not for long: a log that hangs must not keep a program from ending. False
  /// if some is not.
  @discardableResult
  package func flush(atMostMilliseconds limit: Int = 500) -> Bool {
    var waited = 0
    while queue.change({ !$0.lines.isEmpty || $0.isWriting }) {
      guard waited < limit else { return false }
      WorkerThread.sleep(milliseconds: 5)
      waited += 5
    }
    return true
  }

  /// The thread ends when it has written the lines that are there.
  package func close() { queue.change { $0.isClosed = true } }

  private static func write(from queue: Monitor<Queue>, to descriptor: Int32) {
    var isMidLine = false
    while true {
      let lines = queue.change(when: \.hasWork) { queue in
        defer { (queue.lines, queue.bytes) = ([], 0) }
        queue.isWriting = !queue.lines.isEmpty
        return queue.lines
      }
      if lines.isEmpty { return }
      for line in lines {
        // A line that a full disk cut off must not run into the next one.
        let line = isMidLine ? [UInt8(ascii: "\n")] + line : line
        let written = write(line.span, to: descriptor)
        if written < line.count { queue.change { $0.dropped += 1 } }
        isMidLine = written > 0 ? written < line.count : isMidLine
      }
      queue.change { $0.isWriting = false }
    }
  }

  /// One call, and a second one for the rest where the first was cut short. The bytes that went out are fewer than
  /// there are if nothing reads them, the disk is full, or the descriptor would have to be waited for although it was
  /// made not to block.
  private static func write(_ line: Span<UInt8>, to descriptor: Int32) -> Int {
    var written = 0
    for _ in 0..<2 where written < line.count {
      guard let count = try? SystemCall.writeOnce(descriptor, line.extracting(written...)), count > 0 else { break }
      written += count
    }
    return written
  }
}

/// A limit of lines per second. Beyond it, threads write shared memory only to count the lines that were left out.
final class LineLimit: Sendable {
  /// The second, and the number of its lines: 44 and 20 bits.
  private let window = Atomic<UInt64>(0)
  private let suppressed = Atomic<UInt64>(0)

  /// The lines that were left out since the last one that was written, or nil if this one is to be left out too. `now`
  /// is in ``MonotonicTime``.
  func take(atMost limit: Int, at now: UInt64 = MonotonicTime.now) -> UInt64? {
    let second = now / 1_000_000_000
    var current = window.load(ordering: .relaxed)
    while true {
      let used = current >> 20 == second ? current & 0xF_FFFF : 0
      guard used < UInt64(clamping: limit) else {
        suppressed.wrappingAdd(1, ordering: .relaxed)
        return nil
      }
      let attempt = window.compareExchange(
        expected: current, desired: second << 20 | (used + 1), ordering: .relaxed)
      if attempt.exchanged { return suppressed.exchange(0, ordering: .relaxed) }
      current = attempt.original
    }
  }
}
