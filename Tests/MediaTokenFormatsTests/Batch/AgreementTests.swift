import MediaToken
import Testing

@testable import MediaTokenFormats

/// What another verifier said, compared with ours.
@Suite("Agreement")
struct AgreementTests {
  private func named(_ name: String) throws -> OtherVerdict {
    let verdict: OtherVerdict? = OtherVerdict(name)
    return try #require(verdict)
  }

  private func comparison(_ fault: Fault, _ name: String) throws -> (agrees: Bool, disagreement: Disagreement?)? {
    let result: BatchResult = .judged(.failure(.undecided(fault)))
    return result.comparison(with: try named(name), line: 3)
  }

  /// By its own name, or by Adobe's, and by no other.
  @Test func everyVerdictAgreesWithItsTwoNamesAlone() throws {
    let names = Set(Verdict.allCases.map(\.answer.wireName) + AdobeCode.allCases.map(\.rawValue))
    for verdict in Verdict.allCases {
      let ours = verdict.answer
      for name in names {
        let agrees = try named(name).agrees(with: ours)
        #expect(agrees == [ours.wireName, ours.adobeCode.rawValue].contains(name), "\(ours.wireName) \(name)")
      }
    }
  }

  @Test func aFaultAgreesWithAdobesUnknownErrorAlone() throws {
    for fault in Fault.allCases {
      #expect(try comparison(fault, "ERROR_UNKNOWN")?.agrees == true)
      let comparison = try comparison(fault, "VALID_TOKEN")
      let other = try #require(comparison)
      #expect(!other.agrees)
      #expect(other.disagreement?.description == "line 3: -: \(fault.answer.wireName) -, expected VALID_TOKEN")
    }
  }

  @Test func whatIsNoQuestionIsNotCompared() throws {
    let other = try named("VALID_TOKEN")
    for error in [BatchLine.tooLong, BatchLine.byteOrderMark] {
      #expect(BatchResult.malformed(error).comparison(with: other, line: 1) == nil)
    }
    let fault: BatchResult = .judged(.failure(.undecided(.internalFault)))
    #expect(fault.comparison(with: nil, line: 1) == nil)
  }

  @Test func countsSayHowManyAgreeWhereAnyWasCompared() throws {
    var answers = BatchAnswers()
    let fault: BatchResult = .judged(.failure(.undecided(.internalFault)))
    answers.add(fault, line: 1, BatchLineLabel())
    #expect(answers.counts.summary.hasSuffix("1 undecided, 0 blank"))
    answers.add(fault, line: 2, BatchLineLabel(other: OtherVerdict("ERROR_UNKNOWN")))
    answers.add(fault, line: 3, BatchLineLabel(other: OtherVerdict("TOKEN_EXPIRED")))
    #expect(answers.counts.summary.hasSuffix("3 undecided, 0 blank, 1 agree, 1 disagree"))
    #expect(answers.disagreements.map(\.line) == [3])
    let lines = String(decoding: answers.writer.bytes, as: UTF8.self).split(separator: "\n")
    #expect(lines.map { $0.contains("agrees") } == [false, true, true])
    answers.removeWritten()
    #expect(answers.disagreements.isEmpty && answers.writer.bytes.isEmpty && answers.counts.agreeing == 1)
  }
}
