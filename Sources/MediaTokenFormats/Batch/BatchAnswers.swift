package import MediaToken

/// The result of a line of a batch that is not blank.
package enum BatchResult {
  case judged(Result<VerifiedToken, Refusal>)
  /// The line is not a question about a token.
  case malformed(Problem)
}

/// The answers to a batch, one JSON object per line, and the sums of its lines.
package struct BatchAnswers {
  /// Its bytes are what is to be sent.
  package var writer = JSONWriter()
  /// The sums of all lines, also of those that have no answer.
  package fileprivate(set) var counts = BatchCounts()
  package private(set) var disagreements: [Disagreement] = []

  package init() {}

  /// Removes what is written by now, and keeps the sums, and the memory.
  package mutating func removeWritten() {
    writer.bytes.removeAll(keepingCapacity: true)
    disagreements.removeAll(keepingCapacity: true)
  }

  /// The line's number is from 1. The answer repeats the label, or the verdict is compared with it.
  package mutating func add(_ result: BatchResult, line: Int, _ label: BatchLineLabel) {
    counts.count(result)
    let comparison = result.comparison(with: label.other, line: line)
    if let comparison { counts.count(agreement: comparison.agrees) }
    if let disagreement = comparison?.disagreement { disagreements.append(disagreement) }
    writer.object { writer in
      writer.member("line", Int64(line))
      switch label.id {
      case .text(let text): writer.member("id", text)
      case .integer(let integer): writer.member("id", integer)
      case nil: break
      }
      switch result {
      case .judged(.success(let token)):
        writer.member("verdict", Verdict.validToken.answer.wireName)
        writer.member("identity", token.identity.digest)
        writer.member("use", token.use.rawValue)
        writer.next(.nothing, Verdict.validToken.answer.adobeCode)
      case .judged(.failure(.rejected(let rejection))):
        writer.member("verdict", rejection.verdict.answer.wireName)
        writer.cause(of: rejection)
      case .judged(.failure(let refusal)):
        writer.member("fault", refusal.answer.wireName)
        writer.next(refusal.action, refusal.answer.adobeCode)
      case .malformed(let error): writer.member("error", error.description)
      }
      if let comparison { writer.member("agrees", comparison.agrees) }
    }
    writer.endLine()
  }

  mutating func addBlank() { counts.countBlank() }
}

package struct BatchCounts {
  package private(set) var valid = 0
  package private(set) var refused = 0
  package private(set) var malformed = 0
  package private(set) var undecided = 0
  private(set) var blank = 0
  /// Lines on which another verifier's verdict is ours.
  private(set) var agreeing = 0
  /// Lines on which it is another.
  private(set) var disagreeing = 0

  /// Blank ones too.
  package var lines: Int { valid + refused + malformed + undecided + blank }

  package var summary: String {
    "\(lines) \(lines == 1 ? "line" : "lines"): \(valid) valid, \(refused) refused, \(malformed) malformed, \(undecided) undecided, "
      + "\(blank) blank" + (agreeing + disagreeing > 0 ? ", \(agreeing) agree, \(disagreeing) disagree" : "")
  }

  fileprivate mutating func count(_ result: BatchResult) {
    switch result {
    case .judged(.success): valid += 1
    case .judged(.failure(.rejected)): refused += 1
    case .judged(.failure): undecided += 1
    case .malformed: malformed += 1
    }
  }

  fileprivate mutating func count(agreement agrees: Bool) {
    if agrees { agreeing += 1 } else { disagreeing += 1 }
  }

  fileprivate mutating func countBlank() { blank += 1 }
}
