internal import MediaToken

/// Another verifier's verdict on a token, for those who compare before they move over.
package struct OtherVerdict: Sendable, Hashable {
  /// One of our wire names, or of Adobe's codes.
  package let name: String

  /// Nil for a name that neither we nor Adobe give to a verdict.
  init?(_ name: String) {
    guard let known = Self.names.first(where: { ExactText($0) == ExactText(name) }) else { return nil }
    self.name = known
  }

  private static let names = Set(Verdict.allCases.map(\.answer.wireName) + AdobeCode.allCases.map(\.rawValue))

  /// True if ours is the same: by its own name, or by Adobe's. A fault agrees with Adobe's ERROR_UNKNOWN alone.
  func agrees(with answer: Answer) -> Bool { name == answer.wireName || name == answer.adobeCode.rawValue }
}

/// A line of a batch on which another verifier and ours differ.
package struct Disagreement: Sendable, CustomStringConvertible {
  /// From 1.
  let line: Int
  let identity: TokenIdentity?
  let answer: Answer
  let reason: Reason?
  let other: OtherVerdict

  /// The token is named by its identity, and nothing of it is shown.
  package var description: String {
    "line \(line): \(identity?.description ?? "-"): \(answer.wireName) \(reason?.rawValue ?? "-"), expected \(other.name)"
  }
}

extension BatchResult {
  /// The difference, if there is one; nil where there is nothing to compare with.
  func comparison(with other: OtherVerdict?, line: Int) -> (agrees: Bool, disagreement: Disagreement?)? {
    guard let other else { return nil }
    let (answer, identity, reason): (Answer, TokenIdentity?, Reason?)
    switch self {
    case .judged(.success(let token)): (answer, identity, reason) = (Verdict.validToken.answer, token.identity, nil)
    case .judged(.failure(.rejected(let rejection))):
      (answer, identity, reason) = (rejection.verdict.answer, rejection.identity, rejection.reason)
    case .judged(.failure(let refusal)): (answer, identity, reason) = (refusal.answer, nil, nil)
    case .malformed: return nil
    }
    if other.agrees(with: answer) { return (true, nil) }
    return (false, Disagreement(line: line, identity: identity, answer: answer, reason: reason, other: other))
  }
}
