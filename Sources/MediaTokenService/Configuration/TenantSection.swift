internal import MediaToken

/// The tenants in the configuration.
enum TenantSection {
  private static let keys = [
    "requestor", "resources", "allowMVPDs", "denyMVPDs", "maxTTLMilliseconds", "futureToleranceMilliseconds",
    "expiryToleranceMilliseconds", "unknownFields",
  ]

  /// At least one, each with another requestor.
  static func tenants(_ file: ConfigurationObject) throws(ConfigurationError) -> [TenantSettings] {
    let objects = try file.required(
      "tenants", try file.objects("tenants", keys: keys), "an array of objects, each with a requestor")
    guard !objects.isEmpty else { throw file.error("tenants", "expected at least one tenant, found none") }
    var tenants: [TenantSettings] = []
    for object in objects {
      let tenant = try tenant(object)
      guard !tenants.contains(where: { $0.requestor == tenant.requestor }) else {
        throw object.error("requestor", "expected every requestor once, found this one twice")
      }
      tenants.append(tenant)
    }
    return tenants
  }

  private static func tenant(_ object: ConfigurationObject) throws(ConfigurationError) -> TenantSettings {
    let requestor = try object.required("requestor", try object.exactText("requestor"), "the requestor's id")
    let resources = try object.strings("resources")?.map { ExactText($0) }
    guard resources?.isEmpty != true else {
      throw object.error("resources", "expected at least one resource; leave the key out to accept every one")
    }
    return TenantSettings(requestor: requestor, resources: resources, policy: try policy(object))
  }

  private static func policy(_ object: ConfigurationObject) throws(ConfigurationError) -> Policy {
    let standard = Policy.standard
    let span = Limits.policySpanMilliseconds
    let mvpds = MVPDList(
      allowing: try object.strings("allowMVPDs"), denying: try object.strings("denyMVPDs") ?? [])
    let maxTTL = try object.integer("maxTTLMilliseconds", in: 1...span)
    let future = try object.integer("futureToleranceMilliseconds", in: 0...span)
    let expiry = try object.integer("expiryToleranceMilliseconds", in: 0...span)
    let unknown = try object.word("unknownFields", of: Policy.UnknownFields.self)
    do throws(PolicyError) {
      return try Policy(
        maxTTLMilliseconds: maxTTL ?? standard.maxTTLMilliseconds,
        futureToleranceMilliseconds: future ?? standard.futureToleranceMilliseconds,
        expiryToleranceMilliseconds: expiry ?? standard.expiryToleranceMilliseconds,
        unknownFields: unknown ?? standard.unknownFields, mvpds: mvpds)
    } catch {
      throw object.error("\(error.setting)Milliseconds", error.description)
    }
  }
}
