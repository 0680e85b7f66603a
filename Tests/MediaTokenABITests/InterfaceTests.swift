import CMediaToken
import Foundation
import MediaToken
import MediaTokenABI
import Testing

@Suite("C: the interface and the library agree")
struct InterfaceTests {
  /// The header's names and numbers are those of the library's one table.
  @Test func verdictsAndFaultsHaveTheLibrarysNumbers() {
    let verdicts: [Verdict: mediatoken_code] = [
      .validToken: MEDIATOKEN_VALID_TOKEN, .invalidTokenFormat: MEDIATOKEN_INVALID_TOKEN_FORMAT,
      .invalidSignature: MEDIATOKEN_INVALID_SIGNATURE, .tokenExpired: MEDIATOKEN_TOKEN_EXPIRED,
      .invalidResourceID: MEDIATOKEN_INVALID_RESOURCE_ID, .invalidRequestorID: MEDIATOKEN_INVALID_REQUESTOR_ID,
      .tokenNotYetValid: MEDIATOKEN_TOKEN_NOT_YET_VALID, .mvpdNotAllowed: MEDIATOKEN_MVPD_NOT_ALLOWED,
      .tokenReplayed: MEDIATOKEN_TOKEN_REPLAYED,
      .tokenPredatesReplayMemory: MEDIATOKEN_TOKEN_PREDATES_REPLAY_MEMORY,
    ]
    let faults: [Fault: mediatoken_code] = [
      .keysUnavailable: MEDIATOKEN_KEYS_UNAVAILABLE, .replayMemoryUnavailable: MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE,
      .replayMemoryFull: MEDIATOKEN_REPLAY_MEMORY_FULL, .outOfMemory: MEDIATOKEN_OUT_OF_MEMORY,
      .internalFault: MEDIATOKEN_INTERNAL_FAULT,
    ]
    for verdict in Verdict.allCases { check(verdict.answer, verdicts[verdict]) }
    for fault in Fault.allCases { check(fault.answer, faults[fault]) }
    #expect(MEDIATOKEN_OK == MEDIATOKEN_VALID_TOKEN)
  }

  private func check(_ answer: Answer, _ code: mediatoken_code?) {
    #expect(code?.rawValue == UInt32(answer.number))
    guard let code else { return }
    #expect(unsafe String(cString: mediatoken_code_name(code)) == answer.wireName)
    #expect(Int(mediatoken_http_status(code)) == answer.httpStatus)
    #expect(unsafe String(cString: mediatoken_strerror(code)).isEmpty == false)
  }

  /// The header repeats the policy's defaults, because C has no other place for them.
  @Test func theHeadersPolicyIsTheLibrarysDefault() throws {
    let standard = Policy.standard
    let expected =
      "#define MEDIATOKEN_POLICY_INIT \\\n  {sizeof(mediatoken_policy), \(standard.maxTTLMilliseconds), "
      + "\(standard.futureToleranceMilliseconds), \(standard.expiryToleranceMilliseconds), 0, 0, 0, NULL, 0, NULL, 0, 0, "
      + "{NULL, 0}, {NULL, 0}, NULL, 0, 0, 0}"
    let header = URL(filePath: #filePath).appending(path: "../../../Sources/CMediaToken/include/mediatoken.h")
    #expect(try String(contentsOf: header.standardizedFileURL, encoding: .utf8).contains(expected))
    #expect(standard.unknownFields == .report && MEDIATOKEN_UNKNOWN_FIELDS_REPORT == 0)
    #expect(standard.mvpds == .all && MEDIATOKEN_MVPDS_ALL == 0)
  }

  /// The same request of the same caller is answered again, and no other caller's.
  @Test func aRepeatedRequestIsAnsweredAgain() throws {
    let fixture = try CFixture(keyPairs: 1, retryWindowMilliseconds: 60_000)
    let token = try fixture.token(1)
    #expect(fixture.verify(token, requestID: "a") == (MEDIATOKEN_VALID_TOKEN, MEDIATOKEN_USE_FIRST))
    #expect(fixture.verify(token, requestID: "a") == (MEDIATOKEN_VALID_TOKEN, MEDIATOKEN_USE_RETRY))
    #expect(fixture.verify(token, requestID: "b") == (MEDIATOKEN_TOKEN_REPLAYED, MEDIATOKEN_USE_NONE))
    #expect(fixture.verify(token) == (MEDIATOKEN_TOKEN_REPLAYED, MEDIATOKEN_USE_NONE))
  }

  /// A look spends nothing, is no verdict, and promises nothing after the use.
  @Test func whatIsOnlyVerifiedIsNotSpent() throws {
    let fixture = try CFixture(keyPairs: 1, retryWindowMilliseconds: 60_000)
    let token = try fixture.token(1)
    let look = UInt32(MEDIATOKEN_DO_NOT_SPEND)
    for _ in 0..<2 {
      #expect(
        fixture.verify(token, requestID: "a", flags: look) == (MEDIATOKEN_NOT_SPENT, MEDIATOKEN_USE_NOT_SPENT))
    }
    #expect(fixture.verify(token) == (MEDIATOKEN_VALID_TOKEN, MEDIATOKEN_USE_FIRST))
    #expect(fixture.verify(token) == (MEDIATOKEN_TOKEN_REPLAYED, MEDIATOKEN_USE_NONE))
    #expect(fixture.verify(token, flags: look) == (MEDIATOKEN_NOT_SPENT, MEDIATOKEN_USE_NOT_SPENT))
    #expect(fixture.verify(token + "x", flags: look) == (MEDIATOKEN_INVALID_SIGNATURE, MEDIATOKEN_USE_NONE))
    #expect(MEDIATOKEN_NOT_SPENT != MEDIATOKEN_VALID_TOKEN && mediatoken_http_status(MEDIATOKEN_NOT_SPENT) == 204)
    #expect(unsafe String(cString: mediatoken_code_name(MEDIATOKEN_NOT_SPENT)) == "NOT_SPENT")
  }

  /// A caller that compares numbers cannot take a fault for a verdict.
  @Test func numbersOfFaultsNeverLookLikeVerdicts() {
    for fault in Fault.allCases { #expect(fault.answer.number >= 64) }
    for verdict in Verdict.allCases { #expect(verdict.answer.number < 64) }
    for own in [
      MEDIATOKEN_UNDECIDED, MEDIATOKEN_BAD_ARGUMENT, MEDIATOKEN_BAD_SIZE, MEDIATOKEN_FORKED, MEDIATOKEN_NO_VALUE,
      MEDIATOKEN_NOT_SPENT,
    ] { #expect(own.rawValue >= 128) }
  }
}
