package import MediaToken
internal import MediaTokenSystem

/// The lines of a batch that are answered together, because their tokens' uses may be claimed together: of a replay memory
/// that has to ask others, many cost what one does.
///
/// Lines are read one by one and their tokens judged at once. Those whose verdict comes later wait for it in the round; when
/// none waits, the answers are written, in the order of the lines, and the next round begins.
package struct BatchRound {
  /// How many lines a round has at most: as many claims as go to a seat of a fleet in one piece.
  static let mostLines = 64

  /// The number of the round's first line, from 1.
  private var firstLine: Int
  private let mayHaveInstant: Bool
  private var rows: [Row] = []

  /// What a line came to so far.
  private enum Row {
    /// Nothing is on the line, which is only counted.
    case blank
    case answered(BatchResult, BatchLineLabel)
    case waiting(BatchLineLabel)
  }

  /// What comes of a token; nil: the verdict comes later, and ``settle(_:_:)`` is told.
  ///
  /// - Parameters:
  ///   - token: as received.
  ///   - line: what the line expects of it.
  ///   - place: the line's place in the round.
  package typealias Judge = (_ token: Span<UInt8>, _ line: LineExpectation, _ place: Int) -> BatchResult?

  /// - Parameters:
  ///   - firstLine: the number of the first line.
  ///   - mayHaveInstant: whether a line may say what time it is; not where the system's clock decides.
  package init(from firstLine: Int = 1, mayHaveInstant: Bool) {
    self.firstLine = firstLine
    self.mayHaveInstant = mayHaveInstant
  }

  /// Whether it has as many lines as it may have.
  package var isFull: Bool { rows.count >= Self.mostLines }

  /// Reads the line that begins at `offset`, which is moved to the next one.
  package mutating func readLine(of text: Span<UInt8>, from offset: inout Int, _ judge: Judge) {
    let end = text.endOfLine(from: offset)
    read(text.extracting(text.withoutLineEnd(offset..<end)), judge)
    offset = end
  }

  private mutating func read(_ line: Span<UInt8>, _ judge: Judge) {
    if line.count > BatchLine.longest {
      add(.malformed(.tooLong), BatchLineLabel())
    } else if BatchLine.isBlank(line) {
      rows.append(.blank)
    } else if line.beginsWithByteOrderMark {
      add(.malformed(.byteOrderMark), BatchLineLabel())
    } else if BatchLine.isObject(line) {
      readObject(line, judge)
    } else {
      add(judge(line, LineExpectation(), rows.count), BatchLineLabel())
    }
  }

  private mutating func readObject(_ line: Span<UInt8>, _ judge: Judge) {
    do throws(BatchLineError) {
      let question = try BatchLine.parse(line, mayHaveInstant: mayHaveInstant)
      let (expectation, place) = (question.expectation, rows.count)
      let result = question.withToken { judge($0, expectation, place) }
      add(result, question.label)
    } catch {
      add(error.fault.map { .judged(.failure(.undecided($0))) } ?? .malformed(error), BatchLineLabel(id: error.id))
    }
  }

  private mutating func add(_ result: BatchResult?, _ label: BatchLineLabel) {
    rows.append(result.map { .answered($0, label) } ?? .waiting(label))
  }

  /// Notes what came of a token that waited; nothing if it does not wait.
  package mutating func settle(_ place: Int, _ result: Result<VerifiedToken, Refusal>) {
    guard case .waiting(let label) = rows[place] else { return }
    rows[place] = .answered(.judged(result), label)
  }

  /// Writes the answers to its lines, and begins the next round after them. A token that still waits has no verdict.
  package mutating func write(to answers: inout BatchAnswers) {
    for (place, row) in rows.enumerated() {
      switch row {
      case .blank: answers.counts.countBlank()
      case .answered(let result, let label): answers.add(result, line: firstLine + place, label)
      case .waiting(let label):
        answers.add(.judged(.failure(.undecided(.replayMemoryUnavailable))), line: firstLine + place, label)
      }
    }
    firstLine += rows.count
    rows.removeAll(keepingCapacity: true)
  }
}

extension Span<UInt8> {
  /// How many lines there are, of which the last may lack its line feed.
  package func numberOfLines() -> Int {
    var (lines, start) = (0, 0)
    while start < count {
      start = endOfLine(from: start)
      lines += 1
    }
    return lines
  }

  /// Where the line that begins at `start` ends, its line feed included.
  package func endOfLine(from start: Int) -> Int {
    firstIndex(of: UInt8(ascii: "\n"), from: start).map { $0 + 1 } ?? count
  }

  /// A line may end in LF or CR LF.
  package func withoutLineEnd(_ line: Range<Int>) -> Range<Int> {
    var end = line.upperBound
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    if end > line.lowerBound, self[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return line.lowerBound..<end
  }
}
