import MediaToken
import Testing

/// The verdict table is an interface: scripts, proxies and other languages rely on every cell.
@Suite("Verdict table")
struct VerdictTableTests {
  /// The table of the specification, copied and not derived: wire name, number, exit, HTTP, Adobe's code.
  private static let verdicts = """
    VALID_TOKEN                  | 0 | 0 | 200 | VALID_TOKEN
    INVALID_TOKEN_FORMAT         | 1 | 1 | 403 | INVALID_TOKEN_FORMAT
    INVALID_SIGNATURE            | 2 | 1 | 403 | INVALID_SIGNATURE
    TOKEN_EXPIRED                | 3 | 1 | 403 | TOKEN_EXPIRED
    INVALID_RESOURCE_ID          | 4 | 1 | 403 | INVALID_RESOURCE_ID
    INVALID_REQUESTOR_ID         | 5 | 1 | 403 | INVALID_SIGNATURE
    TOKEN_NOT_YET_VALID          | 6 | 1 | 403 | TOKEN_EXPIRED
    MVPD_NOT_ALLOWED             | 7 | 1 | 403 | INVALID_RESOURCE_ID
    TOKEN_REPLAYED               | 8 | 1 | 403 | TOKEN_EXPIRED
    TOKEN_PREDATES_REPLAY_MEMORY | 9 | 1 | 403 | TOKEN_EXPIRED
    """
  private static let faults = """
    KEYS_UNAVAILABLE             | 64 | 3 | 503 | ERROR_UNKNOWN
    REPLAY_MEMORY_UNAVAILABLE    | 65 | 3 | 503 | ERROR_UNKNOWN
    REPLAY_MEMORY_FULL           | 66 | 3 | 503 | ERROR_UNKNOWN
    OUT_OF_MEMORY                | 67 | 3 | 503 | ERROR_UNKNOWN
    INTERNAL_FAULT               | 68 | 3 | 503 | ERROR_UNKNOWN
    """

  @Test func rowsAreThoseOfTheSpecification() {
    #expect(rows(Verdict.allCases.map(\.answer)) == lines(Self.verdicts))
    #expect(rows(Fault.allCases.map(\.answer)) == lines(Self.faults))
  }

  @Test func rawValuesAreTheNumbers() {
    for verdict in Verdict.allCases { #expect(verdict.rawValue == verdict.answer.number) }
    for fault in Fault.allCases { #expect(fault.rawValue == fault.answer.number) }
  }

  @Test func reasonsNeverLeadToAValidToken() {
    for reason in Reason.allCases { #expect(reason.verdict != .validToken) }
    #expect(Set(Reason.allCases.map(\.rawValue)).count == Reason.allCases.count)
    #expect(Set(Reason.allCases.map(\.sentence)).count == Reason.allCases.count)
  }

  private func rows(_ answers: [Answer]) -> [[String]] {
    answers.map { [$0.wireName, "\($0.number)", "\($0.exitStatus)", "\($0.httpStatus)", $0.adobeCode.rawValue] }
  }

  private func lines(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { row in row.split { $0 == "|" || $0 == " " }.map(String.init) }
  }
}
