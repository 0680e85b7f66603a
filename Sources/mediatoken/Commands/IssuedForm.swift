internal import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenJSON

/// How `issue` prints a token.
enum IssuedForm: String, CaseIterable {
  case raw
  case base64
  case percent
  /// In a decision, as Adobe Pass answers to `decisions/authorize` of its REST API v2.
  case decision

  /// How the token itself is spelled.
  var tokenForm: DevelopmentTokenIssuer.Form {
    switch self {
    case .raw: .raw
    case .base64, .decision: .base64
    case .percent: .percent
    }
  }
}

/// A decision for tests: what Adobe's would say about a token that was issued now, on one line.
struct IssuedDecision {
  let token: DevelopmentToken

  /// How long the authorization lives: much longer than the token, as programmer and provider agree.
  private static let authorizationMilliseconds: Int64 = 24 * 3600 * 1000

  /// Appends the document.
  ///
  /// - Parameter serialized: the token in base64.
  func write(_ serialized: Span<UInt8>, into output: inout [UInt8]) {
    let begin = token.issueTime.millisecondsSinceEpoch
    var writer = JSONWriter(appendingTo: output)
    output = []
    writer.object { document in
      document.name("decisions")
      document.array { decisions in
        decisions.object { decision in
          decision.member("resource", token.resourceID)
          decision.member("serviceProvider", token.requestorID)
          decision.member("mvpd", token.mvpdID)
          decision.member("source", "mvpd")
          decision.member("authorized", true)
          decision.name("token")
          decision.object { member in
            member.member("notBefore", begin)
            member.member("notAfter", begin + token.ttlMilliseconds)
            member.member("serializedToken", plain: serialized)
          }
          decision.member("notBefore", begin)
          decision.member("notAfter", begin + Self.authorizationMilliseconds)
        }
      }
    }
    output = writer.bytes
  }
}
