internal import MediaTokenIssuer

/// The printed form of a token.
enum IssuedForm: String, CaseIterable {
  case raw
  case base64
  case percent
  /// In a decision, as Adobe Pass answers to `decisions/authorize` of its REST API v2.
  case decision

  var tokenForm: DevelopmentTokenIssuer.Form {
    switch self {
    case .raw: .raw
    case .base64, .decision: .base64
    case .percent: .percent
    }
  }
}
