package import MediaToken
internal import MediaTokenSystem

/// Something that a decision says and its token's signed fields do not: for people, because no verdict depends on it.
package struct DecisionDifference: Sendable, Hashable {
  package let member: String
  /// The decision's value.
  package let decision: String
  /// The signed value.
  package let signed: String
}

extension Decision {
  /// The members in which the decision and its token differ. A member that the decision leaves out does not count as a
  /// difference. The lifetime is nil if the token's times could not be read.
  package func differences(from fields: TokenFields, _ lifetime: Lifetime?) -> [DecisionDifference] {
    var differences: [DecisionDifference] = []
    compare("serviceProvider", serviceProvider, [fields.requestorID])
    compare("mvpd", mvpd, [fields.mvpdID, fields.proxyMVPDID].compactMap { $0 })
    if let lifetime {
      let begin = lifetime.issueTime.millisecondsSinceEpoch
      compare("notBefore", notBefore, begin)
      compare("notAfter", notAfter, begin + lifetime.statedTTLMilliseconds)
    }
    return differences

    func compare(_ member: String, _ said: JSONTree?, _ signed: [ExactText]) {
      guard let said else { return }
      if case .string(let text) = said.value, signed.contains(ExactText(text)) { return }
      let names = signed.map(\.text).joined(separator: " or ")
      differences.append(DecisionDifference(member: member, decision: said.value.shown, signed: names))
    }

    // Production writes the signed time in whole seconds and the decision's in milliseconds.
    func compare(_ member: String, _ said: JSONTree?, _ signed: Int64) {
      guard let said else { return }
      let time = Instant(millisecondsSinceEpoch: signed)
      guard case .integer(let milliseconds) = said.value else {
        differences.append(DecisionDifference(member: member, decision: said.value.shown, signed: "\(time)"))
        return
      }
      guard !(signed..<signed + 1000).contains(milliseconds) else { return }
      let other = Instant(millisecondsSinceEpoch: milliseconds)
      differences.append(DecisionDifference(member: member, decision: "\(other)", signed: "\(time)"))
    }
  }
}

extension JSONTree.Value {
  /// The value if it is a text, else its type.
  fileprivate var shown: String {
    if case .string(let text) = self { return text }
    return kind
  }
}
