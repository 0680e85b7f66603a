/// The reason why a verifier can't be set up or given other keys: always a fault in the configuration or of the
/// machine, never a verdict on a token. It never carries a key's, a password's or a token's bytes.
public struct SetupError: Error, Sendable, Hashable {
  /// Everything that is wrong; never empty. The subject of each is `keys`, `oneUse`, `policy` or `clock`, as the parameter of
  /// ``TokenVerifier`` is called.
  public let problems: [Problem]

  package init(_ problems: [Problem]) {
    precondition(!problems.isEmpty, "an error says what is wrong")
    self.problems = problems
  }
}

extension SetupError {
  init(keys problem: Problem) {
    let isDevelopment = problem.code == Problem.developmentKey
    self.init([
      (isDevelopment ? problem.cured("in tests take the keys of MediaTokenTesting") : problem).about("keys")
    ])
  }

  init(oneUse problem: Problem) { self.init([problem.about("oneUse")]) }

  init(fault: Fault) { self.init([.init("keys", "OpenSSL can't work with them (\(fault.answer.wireName))")]) }
}

extension SetupError: CustomStringConvertible {
  /// A line for each problem: the subject, the fact, the cure.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}
