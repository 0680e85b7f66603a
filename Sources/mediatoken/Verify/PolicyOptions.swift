internal import MediaToken
internal import MediaTokenCommandLine

enum PolicyOptions {
  private static let unknownFields = Option(
    ChoiceNames.unknownFields.option, .words(Policy.UnknownFields.self), default: Policy.standard.unknownFields,
    "what to do with signed fields of other names")
  private static let allowMVPD = Option(
    ChoiceNames.allowedProviders.option, each: .text(.provider),
    "accept this provider and no other that is not allowed")
  private static let allowProxyMVPD = Option(
    ChoiceNames.allowedProxies.option, each: .text(.provider),
    "accept this proxy provider (proxyMvpdId) and no other that is not allowed; refuses tokens without one")
  private static let denyMVPD = Option(
    ChoiceNames.deniedProviders.option, each: .text(.provider), "refuse this provider")

  static let all: [any CommandOption] = [unknownFields, allowMVPD, allowProxyMVPD, denyMVPD]

  static func policy(_ arguments: Arguments) throws(Problem) -> Policy {
    let allowed = try arguments[allowMVPD].map { ExactText($0) }
    let proxies = try arguments[allowProxyMVPD].map { ExactText($0) }
    let denied = try arguments[denyMVPD].map { ExactText($0) }
    return try Policy(
      maxTTLMilliseconds: Policy.standard.maxTTLMilliseconds, unknownFields: arguments[unknownFields],
      mvpds: MVPDList(
        allowing: allowed.isEmpty ? nil : allowed, allowingProxies: proxies.isEmpty ? nil : proxies, denying: denied
      ))
  }
}
