package import MediaToken

/// Why a line has no valid token.
package enum BatchRefusal: Error {
  /// The token is refused, or nobody can tell.
  case refusal(Refusal)
  /// The line leaves open what only it can say; what was expected.
  case incomplete(String)
}

/// Writes the answers to lines of a batch, one JSON object a line, and counts them.
struct BatchAnswer {
  /// The line's number, from 1.
  let line: Int
  /// What the caller calls the line.
  let id: BatchLineID?

  func valid(_ token: VerifiedToken, _ writer: inout JSONWriter, _ counts: inout BatchCounts) {
    write(&writer) { writer in
      writer.member("verdict", Verdict.validToken.answer.wireName)
      writer.member("identity", token.identity.digest)
      writer.member("use", token.use.rawValue)
    }
    counts.valid += 1
  }

  func refused(_ refusal: BatchRefusal, _ writer: inout JSONWriter, _ counts: inout BatchCounts) {
    switch refusal {
    case .refusal(.rejected(let rejection)):
      write(&writer) { writer in
        writer.member("verdict", rejection.verdict.answer.wireName)
        writer.member("reason", rejection.reason.rawValue)
        writer.member("detail", rejection.detail)
        if let identity = rejection.identity { writer.member("identity", identity.digest) }
      }
      counts.refused += 1
    case .refusal(.undecided(let fault)):
      write(&writer) { $0.member("fault", fault.answer.wireName) }
      counts.undecided += 1
    case .incomplete(let expected):
      write(&writer) { $0.member("error", expected) }
      counts.malformed += 1
    }
  }

  /// The answer to a line that is no question.
  static func malformed(
    _ error: BatchLineError, line: Int, _ writer: inout JSONWriter, _ counts: inout BatchCounts
  ) {
    BatchAnswer(line: line, id: error.id).write(&writer) { $0.member("error", error.description) }
    counts.malformed += 1
  }

  private func write(_ writer: inout JSONWriter, _ members: (inout JSONWriter) -> Void) {
    writer.object { writer in
      writer.member("line", Int64(line))
      switch id {
      case .text(let text): writer.member("id", text)
      case .integer(let integer): writer.member("id", integer)
      case nil: break
      }
      members(&writer)
    }
    writer.endLine()
  }
}
