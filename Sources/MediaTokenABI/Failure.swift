internal import CMediaToken
internal import MediaToken

/// The reason why a call of the interface did not do its work: a code that is not 0, and a sentence for people.
struct Failure: Error {
  let code: mediatoken_code
  let sentence: String

  /// Nil if the code is not that of a fault.
  var fault: Fault? { UInt8(exactly: code.rawValue).flatMap { Fault(rawValue: $0) } }

  /// The program made a mistake.
  static func badArgument(_ sentence: String) -> Failure {
    Failure(code: MEDIATOKEN_BAD_ARGUMENT, sentence: sentence)
  }

  /// The struct has an unknown version.
  static func badSize(_ sentence: String) -> Failure { Failure(code: MEDIATOKEN_BAD_SIZE, sentence: sentence) }

  /// A forked child that has not called mediatoken_verifier_after_fork().
  static var forked: Failure {
    Failure(
      code: MEDIATOKEN_FORKED,
      sentence: "the verifier is that of the parent process; call mediatoken_verifier_after_fork first"
    )
  }

  static func keys(_ sentence: String) -> Failure {
    Failure(code: MEDIATOKEN_KEYS_UNAVAILABLE, sentence: sentence)
  }

  init(_ error: Problem) {
    self.init(code: MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, sentence: error.description)
  }

  init(_ fault: Fault) {
    self.init(code: CodeTable.code(fault.answer), sentence: fault.answer.sentence)
  }

  init(code: mediatoken_code, sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
