/// Why a verifier can't be set up or given other keys: always a fault in the configuration or of the machine, never a verdict on
/// a token. It never carries a key's, a password's or a token's bytes.
public struct SetupError: Error, Sendable, Hashable {
  /// Everything that is wrong; never empty.
  public let problems: [Problem]

  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable {
    /// What it is about: `keys`, `oneUse`, `policy` or `clock`, as the parameter of ``TokenVerifier`` is called.
    public let subject: String
    /// What is the case, with the file or the address.
    public let fact: String
    /// What to do; nil where the fact says it.
    public let cure: String?

    /// - Parameter sentence: the fact, and after the first semicolon the cure, as all messages of the library are written.
    package init(_ subject: String, _ sentence: String) {
      self.subject = subject
      let end = sentence.firstRange(of: "; ")
      fact = String(sentence[..<(end?.lowerBound ?? sentence.endIndex)])
      cure = end.map { String(sentence[$0.upperBound...]) }
    }
  }

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
    self.init([.init("keys", sentence)])
  }

  /// The store can't be opened.
  init(oneUse error: ReplayMemoryError) { self.init([.init("oneUse", error.description)]) }

  /// OpenSSL can't work with the keys.
  init(fault: Fault) { self.init([.init("keys", "OpenSSL can't work with them (\(fault.answer.wireName))")]) }
}

extension SetupError: CustomStringConvertible {
  /// A line for each problem: the subject, the fact, the cure.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension SetupError.Problem: CustomStringConvertible {
  public var description: String { "\(subject): \(fact)" + (cure.map { "; \($0)" } ?? "") }
}
