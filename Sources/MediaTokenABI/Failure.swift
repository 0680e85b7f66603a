internal import CMediaToken
internal import MediaToken

/// Why a call of the interface did not do its work: a code that is not 0, and a sentence for people.
struct Failure: Error {
  let code: mediatoken_code
  let sentence: String

  /// The fault of the library, if the code is that of a fault.
  var fault: Fault? { UInt8(exactly: code.rawValue).flatMap { Fault(rawValue: $0) } }

  /// The program made a mistake.
  static func badArgument(_ sentence: String) -> Failure {
    Failure(code: MEDIATOKEN_BAD_ARGUMENT, sentence: sentence)
  }

  /// A struct of an unknown version.
  static func badSize(_ sentence: String) -> Failure { Failure(code: MEDIATOKEN_BAD_SIZE, sentence: sentence) }

  /// A forked child that has not called mediatoken_verifier_after_fork().
  static var forked: Failure {
    Failure(
      code: MEDIATOKEN_FORKED,
      sentence: "the verifier is that of the parent process; call mediatoken_verifier_after_fork first"
    )
  }

  /// The keys' fault.
  static func keys(_ sentence: String) -> Failure {
    Failure(code: MEDIATOKEN_KEYS_UNAVAILABLE, sentence: sentence)
  }

  /// What is wrong with a replay memory.
  init(_ error: Problem) {
    self.init(code: MEDIATOKEN_REPLAY_MEMORY_UNAVAILABLE, sentence: error.description)
  }

  /// A fault of the library.
  init(_ fault: Fault) {
    self.init(code: CodeTable.code(fault.answer), sentence: fault.answer.sentence)
  }

  init(code: mediatoken_code, sentence: String) {
    self.code = code
    self.sentence = sentence
  }
}
