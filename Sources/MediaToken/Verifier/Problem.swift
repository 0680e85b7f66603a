internal import MediaTokenSystem

/// One thing that is wrong: with a file, an address, a setting, or what was to be made. It is never a verdict on a token, and it never
/// carries a key's, a password's or a token's bytes.
public struct Problem: Error, Sendable, Hashable {
  /// What it is about: a file, an address, a setting, or a parameter as it is called. Empty where the fact says it.
  public let subject: String
  /// What is the case.
  public let fact: String
  /// What to do; nil where the fact says it.
  public let cure: String?
  /// A name that stays the same, where code or a test tells this problem from others.
  package let code: String?

  /// The code of the development key, where that is not taken.
  package static let developmentKey = "developmentKey"

  package init(_ subject: String, _ fact: String, cure: String? = nil, code: String? = nil) {
    (self.subject, self.fact, self.cure, self.code) = (subject, fact, cure, code)
  }

  /// A problem whose fact says what it is about.
  package init(_ fact: String, cure: String? = nil, code: String? = nil) {
    self.init("", fact, cure: cure, code: code)
  }

  /// What OpenSSL can't do.
  package init(_ fault: Fault) {
    self.init("OpenSSL failed (\(fault.answer.wireName))", code: fault.answer.wireName)
  }

  /// The same as a part of something else: `keys`, and in it the file.
  package func about(_ subject: String) -> Problem {
    Problem(subject, self.subject.isEmpty ? fact : "\(self.subject): \(fact)", cure: cure, code: code)
  }

  /// What is wrong while something is done is part of what that is about.
  package static func about<Value: ~Copyable>(
    _ subject: String, _ body: @autoclosure () throws(Problem) -> Value
  ) throws(Problem) -> Value {
    try rethrow(body()) { (problem: Problem) in problem.about(subject) }
  }

  /// A fault of OpenSSL is a problem.
  package static func ofOpenSSL<Value: ~Copyable>(
    _ body: @autoclosure () throws(Fault) -> Value
  ) throws(Problem) -> Value { try rethrow(body(), as: Problem.init) }

  /// The same with what to do where it was found.
  package func cured(_ cure: String) -> Problem { Problem(subject, fact, cure: cure, code: code) }

  /// The fault on our side, if it is one.
  package var fault: Fault? { Fault.allCases.first { $0.answer.wireName == code } }

  /// The fact and the cure, for a place that says by itself what they are about.
  package var sentence: String { fact + (cure.map { "; \($0)" } ?? "") }
}

extension Problem: CustomStringConvertible {
  /// The subject, the fact, the cure.
  public var description: String { (subject.isEmpty ? "" : "\(subject): ") + sentence }
}
