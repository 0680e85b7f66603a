/// Why a verifier can't be set up or given other keys: always a fault in the configuration or of the machine, never a verdict on
/// a token. It never carries a key's, a password's or a token's bytes.
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
  /// In the words of the library: consent is given to the command line by an option, and here by a parameter.
  init(keys error: KeyError) {
    let sentence =
      switch error.reason {
      case .consentMissing(let fingerprint, let bits):
        "\(error.origin): the key has only \(bits) bits; if it is the right one, consent to it by its fingerprint: "
          + "consent: [\"\(fingerprint)\"]"
      case .developmentKey: "\(error); in tests take the keys of MediaTokenTesting"
      default: error.description
      }
    self.init([.init(sentence: sentence, about: "keys")])
  }

  /// Of a store that can't be opened.
  init(oneUse error: ReplayMemoryError) { self.init([.init(sentence: error.description, about: "oneUse")]) }

  /// Of keys that OpenSSL can't work with.
  init(fault: Fault) { self.init([.init("keys", "OpenSSL can't work with them (\(fault.answer.wireName))")]) }
}

extension SetupError: CustomStringConvertible {
  /// A line for each problem: the subject, the fact, the cure.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension Problem {
  /// Of an error whose text has its cure after the first semicolon.
  init(sentence: String, about subject: String) {
    let end = sentence.firstRange(of: "; ")
    self.init(
      subject, String(sentence[..<(end?.lowerBound ?? sentence.endIndex)]),
      cure: end.map { String(sentence[$0.upperBound...]) })
  }
}
