internal import MediaToken

/// The names that a token is bound to.
package enum BoundName: String, Sendable {
  case requestor, resource
}

extension [BoundName] {
  package func joined(by word: String) -> String { map(\.rawValue).joined(separator: " \(word) ") }

  package var wereNot: String { count == 1 ? "was not" : "were not" }
}

/// One of them: the expected one, and that of the verified fields.
struct ExplainedBinding {
  let name: BoundName
  let outcome: StepReport.Outcome
  let expected: String
  let found: String
}

extension Explanation {
  /// Requestor and resource, each for itself; none as long as no field is verified. A name that was not asked fails
  /// where the configuration has no such name, and then that is what was expected.
  var bindings: [ExplainedBinding] {
    guard let fields else { return [] }
    let (requestor, resource) = (requestorOutcome(fields), resourceOutcome(fields))
    return [
      ExplainedBinding(
        name: .requestor, outcome: requestor,
        expected: asked.requestor || requestor == .failed ? self.requestor.expected : Self.notAsked,
        found: fields.requestorID.text),
      ExplainedBinding(
        name: .resource, outcome: resource,
        expected: asked.resource || resource == .failed ? self.resource.expected : Self.notAsked,
        found: fields.resourceID.text),
    ]
  }

  private static let notAsked = "not asked"

  private func requestorOutcome(_ fields: TokenFields) -> StepReport.Outcome {
    switch requestor {
    case .noMatch: .failed
    case .anyRequestor: .notChecked
    case .exactly(let expected): !asked.requestor ? .notChecked : fields.requestorID == expected ? .passed : .failed
    }
  }

  /// A requestor that is not served says nothing about the resource.
  private func resourceOutcome(_ fields: TokenFields) -> StepReport.Outcome {
    switch (requestor, resource) {
    case (.noMatch, _), (_, .anyResource): return .notChecked
    case (_, .noMatch): return .failed
    default:
      guard asked.resource, let matches = try? resource.matches(fields.resourceID) else { return .notChecked }
      return matches ? .passed : .failed
    }
  }
}

extension ExpectedRequestor {
  fileprivate var expected: String {
    switch self {
    case .exactly(let text): text.text
    case .anyRequestor: "any"
    case .noMatch: "a requestor that is served here"
    }
  }

  /// In a sentence.
  var shown: String {
    switch self {
    case .exactly(let text): "requestor \(text)"
    case .anyRequestor: "any requestor"
    case .noMatch: "no requestor"
    }
  }
}

extension ExpectedResource {
  fileprivate var expected: String {
    switch self {
    case .exactly(let text): text.text
    case .sameDocument(let document):
      "the same document as was asked about; channel \(document.channelTitle), items: \(document.itemCount)"
    case .channel(let channel): "channel \(channel.id), or a document of it"
    case .anyResource: "any"
    case .noMatch: "a resource that is played here"
    }
  }

  /// In a sentence.
  var shown: String {
    switch self {
    case .exactly(let text): "resource \(text)"
    case .sameDocument(let document):
      "the same document as is given; channel \(document.channelTitle), items: \(document.itemCount)"
    case .channel: expected
    case .anyResource: "any resource"
    case .noMatch: "no resource"
    }
  }
}
