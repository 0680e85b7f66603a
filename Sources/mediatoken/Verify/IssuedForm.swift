internal import MediaTokenIssuer

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
