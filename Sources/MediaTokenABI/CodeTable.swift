internal import CMediaToken
internal import MediaToken

/// The names of the codes. Names and numbers of verdicts and faults are those of the library's one table; codes of this
/// interface are added here.
enum CodeTable {
  /// The number of a row of the library's table as C knows it.
  static func code(_ answer: Answer) -> mediatoken_code { mediatoken_code(rawValue: UInt32(answer.number)) }

  /// Every code, its name, and a sentence about it.
  static let codes: [UInt32: (name: String, sentence: String)] = {
    var codes: [UInt32: (name: String, sentence: String)] = [
      MEDIATOKEN_UNDECIDED.rawValue: ("UNDECIDED", "no verdict: this result was not used yet"),
      MEDIATOKEN_BAD_ARGUMENT.rawValue: (
        "BAD_ARGUMENT", "no verdict: an argument is NULL, empty, not UTF-8, out of range or contradicts another"
      ),
      MEDIATOKEN_BAD_SIZE.rawValue: (
        "BAD_SIZE", "no verdict: the size of a struct is unknown to this library; use the INIT macros"
      ),
      MEDIATOKEN_FORKED.rawValue: (
        "FORKED", "no verdict: a forked process must first call mediatoken_verifier_after_fork"
      ),
      MEDIATOKEN_NO_VALUE.rawValue: ("NO_VALUE", "this result, or this index, does not have the value"),
      MEDIATOKEN_NOT_SPENT.rawValue: (
        "NOT_SPENT", "no verdict: the token was verified and, as requested, not spent; nothing may play"
      ),
    ]
    for answer in Verdict.allCases.map(\.answer) + Fault.allCases.map(\.answer) {
      codes[UInt32(answer.number)] = (answer.wireName, answer.sentence)
    }
    return codes
  }()

  /// 200 for a valid token and nothing else.
  static func httpStatus(_ code: mediatoken_code) -> Int32 {
    if code == MEDIATOKEN_NOT_SPENT { return 204 }
    let verdict = UInt8(exactly: code.rawValue).flatMap(Verdict.init(rawValue:))
    return Int32(verdict?.answer.httpStatus ?? 503)
  }
}
