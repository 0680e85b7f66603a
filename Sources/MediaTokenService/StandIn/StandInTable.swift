internal import MediaTokenFormats
internal import MediaTokenIssuer

/// The answers of the stand-in for Adobe Pass: they depend on the name of the MVPD or the resource, and on nothing
/// else.
enum StandInTable {
  /// One of Adobe's Enhanced Error Codes, by which it describes the next thing to do.
  struct Denial: Sendable {
    let code, action: String
    let status: UInt16
    /// True if it is the whole answer, and not that about one resource.
    let isWhole: Bool

    init(_ code: String, _ status: UInt16, _ action: String, isWhole: Bool = false) {
      (self.code, self.status, self.action, self.isWhole) = (code, status, action, isWhole)
    }

    /// Its message is not Adobe's, which promises no wording. `table`: the address of the stand-in's table.
    func error(seenAt table: String) -> AdobeError {
      AdobeError(
        action: action, status: status, code: code,
        message: "mediatokend --dev stands in for Adobe Pass; helpUrl says when it answers so", helpURL: table,
        trace: DevelopmentToken.randomSessionGUID())
    }
  }

  enum Answer {
    /// `saysAuthorization`: the decision has a life of its own.
    case permit(source: String, saysAuthorization: Bool)
    case deny(Denial, source: String)
  }

  static let byDegradation = Denial("authorization_denied_by_degradation_rule", 403, "none")
  static let wrongBearer = Denial(
    "invalid_access_token_client_application", 401, "application-registration", isWhole: true)
  static let wrongProvider = Denial("invalid_parameter_service_provider", 400, "none", isWhole: true)
  static let wrongMVPD = Denial("invalid_parameter_mvpd", 400, "none", isWhole: true)
  static let wrongResources = Denial("invalid_parameter_resources", 400, "none", isWhole: true)
  static let wrongDevice = Denial("invalid_header_device_identifier", 400, "none", isWhole: true)
  static let tooMany = Denial("too_many_resources", 403, "configuration", isWhole: true)
  static let broken = Denial("internal_server_error", 500, "none", isWhole: true)

  /// Those of Adobe's list that `decisions/authorize` has a use for.
  static let denials: [Denial] = [
    Denial("authorization_denied_by_mvpd", 403, "none"),
    Denial("authorization_denied_by_parental_controls", 403, "none"),
    byDegradation,
    Denial("authorization_denied_by_hba_policies", 403, "authentication"),
    Denial("authorization_denied_by_session_invalidated", 403, "authentication"),
    Denial("authenticated_profile_missing", 403, "authentication"),
    Denial("authenticated_profile_expired", 403, "authentication"),
    Denial("authenticated_profile_invalidated", 403, "authentication"),
    Denial("identity_not_recognized_by_mvpd", 403, "authentication"),
    Denial("temporary_access_duration_limit_exceeded", 403, "authentication"),
    Denial("temporary_access_resources_limit_exceeded", 403, "authentication"),
    Denial("invalid_configuration_temporary_access", 500, "configuration"),
    Denial("invalid_header_identity_for_temporary_access", 400, "none"),
    Denial("network_received_error", 403, "retry"),
    Denial("network_connection_timeout", 403, "retry"),
    Denial("maximum_execution_time_exceeded", 403, "retry"),
    Denial("invalid_integration", 400, "none", isWhole: true),
    wrongBearer, wrongProvider, wrongMVPD, wrongResources, wrongDevice, tooMany, broken,
  ]

  /// By the MVPD's name; three dots stand for any end, and the last row for any other name.
  private static let permits: [(mvpd: String, source: String, says: String)] = [
    ("AuthNAll", "degradation", "permit"),
    ("AuthZAll", "degradation", "permit; the decision has no life of its own"),
    ("TempPass...", "temppass", "permit"), ("Dummy", "dummy", "permit"), ("any other", "mvpd", "permit"),
  ]

  static func answer(mvpd: String, resource: String) -> Answer {
    if mvpd == "AuthZNone" { return .deny(byDegradation, source: "degradation") }
    let source = source(of: mvpd)
    if let denial = denials.first(where: { $0.code == mvpd }) ?? denials.first(where: { $0.code == resource }) {
      return .deny(denial, source: source)
    }
    return .permit(source: source, saysAuthorization: mvpd != "AuthZAll")
  }

  private static func source(of mvpd: String) -> String {
    let row = permits.first {
      $0.mvpd.hasSuffix("...") ? mvpd.hasPrefix(String($0.mvpd.dropLast(3))) : $0.mvpd == mvpd
    }
    return (row ?? permits[permits.count - 1]).source
  }

  /// The MVPD of REST API v1, whose requests name none: there it is the one that the viewer signed in with.
  static let usualMVPD = "Sample_MVPD"

  /// The text for a person who opens the address.
  static var text: String {
    func row(_ widths: [Int], _ columns: String...) -> String {
      zip(columns, widths).map { $0 + String(repeating: " ", count: $1 - $0.utf8.count) }.joined()
        + (columns.last ?? "") + "\n"
    }
    var text = """
      mediatokend --dev stands in for Adobe Pass here. For development only: anyone who can read its key can sign tokens.

      POST /api/v2/{serviceProvider}/decisions/authorize/{mvpd}
        with Content-Type: application/json and {"resources": ["TNT"]}, as in REST API v2.
        Authorization: Bearer and AP-Device-Identifier must be there; what they say is not looked at.
      GET /api/v1/mediatoken?requestor=REF30&resource=TNT&deviceId=1 (or /api/v1/tokens/media)
        as in REST API v1: JSON, or XML with format=xml or Accept: application/xml. The MVPD is \(usualMVPD).

      A resource is a name or a whole Media RSS document. Only names decide:


      """
    text += row([14, 14], "MVPD", "source", "answer")
    for (mvpd, source, says) in permits { text += row([14, 14], mvpd, source, says) }
    text += row([14, 14], "AuthZNone", "degradation", "deny with \(byDegradation.code)")
    text += "\n" + row([47, 8, 11], "MVPD or resource: deny with", "status", "about", "action")
    for denial in denials {
      text += row([47, 8, 11], denial.code, "\(denial.status)", denial.isWhole ? "all" : "resource", denial.action)
    }
    return text
  }
}
