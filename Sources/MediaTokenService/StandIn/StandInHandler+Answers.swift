internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// The two requests of Adobe's REST APIs by which an application gets a media token, as Adobe documents them ("Retrieve
/// authorization decisions using specific mvpd" of v2, "Obtain Short Media Token" of v1).
extension StandInHandler {
  /// Adobe does not say how many it takes.
  private static let mostResources = 20

  func decide(
    _ request: borrowing Request, serviceProvider: String, mvpd: String, with response: inout Response
  ) {
    let bearer = value(of: "authorization", request) ?? ""
    guard bearer.utf8.count > 7, bearer.utf8.prefix(7).elementsEqual("Bearer ".utf8) else {
      return write(StandInTable.wrongBearer, with: &response)
    }
    guard value(of: "ap-device-identifier", request) != nil else {
      return write(StandInTable.wrongDevice, with: &response)
    }
    guard !serviceProvider.isEmpty else { return write(StandInTable.wrongProvider, with: &response) }
    guard !mvpd.isEmpty else { return write(StandInTable.wrongMVPD, with: &response) }
    guard request.fields.mediaType() == .json, let resources = Self.resources(request.body) else {
      return write(StandInTable.wrongResources, with: &response)
    }
    guard resources.count <= Self.mostResources else { return write(StandInTable.tooMany, with: &response) }
    var decisions: [WrittenDecision] = []
    for resource in resources {
      let (origin, outcome): (String, WrittenDecision.Outcome)
      switch StandInTable.answer(mvpd: mvpd, resource: resource) {
      case .deny(let denial, _) where denial.isWhole: return write(denial, with: &response)
      case .deny(let denial, let source): (origin, outcome) = (source, .deny(denial.error(seenAt: table)))
      case .permit(let source, let saysAuthorization):
        let token = token(serviceProvider, resource, mvpd)
        guard let permit = permit(token, saysAuthorization) else {
          return write(StandInTable.wrongResources, with: &response)
        }
        (origin, outcome) = (source, permit)
      }
      decisions.append(
        WrittenDecision(
          resource: resource, serviceProvider: serviceProvider, mvpd: mvpd, source: origin, outcome))
    }
    var writer = JSONWriter()
    WrittenDecision.write(decisions, to: &writer)
    writer.endLine()
    (response.status, response.contentType) = (200, "application/json;charset=UTF-8")
    response.body = writer.bytes
  }

  /// Nil for a name that no token can carry.
  private func permit(_ token: DevelopmentToken, _ saysAuthorization: Bool) -> WrittenDecision.Outcome? {
    guard let text = signed(token) else { return nil }
    let begin = token.issueTime.millisecondsSinceEpoch
    return .permit(
      token: text, notBefore: begin, notAfter: begin + token.ttlMilliseconds,
      authorization: saysAuthorization ? begin + WrittenDecision.authorizationMilliseconds : nil)
  }

  func giveToken(_ request: borrowing Request, with response: inout Response) {
    let query = Self.parameters(request)
    let isXML = query["format"] == "xml" || value(of: "accept", request) == "application/xml"
    let missing = [
      ("requestor", "invalid_requestor"), ("deviceId", "invalid_device_id"), ("resource", "missing_resource"),
    ]
    .first { query[$0.0]?.isEmpty != false }
    if let missing {
      let denial = StandInTable.Denial(missing.1, 400, "none")
      return write(denial, isXML: isXML, with: &response)
    }
    let (requestor, resource) = (query["requestor"] ?? "", query["resource"] ?? "")
    if case .deny(let denial, _) = StandInTable.answer(mvpd: StandInTable.usualMVPD, resource: resource) {
      return write(denial, isXML: isXML, with: &response)
    }
    let token = token(requestor, resource, StandInTable.usualMVPD)
    guard let text = signed(token) else {
      return write(StandInTable.Denial("malformed_authz_request", 400, "none"), isXML: isXML, with: &response)
    }
    let expires = token.issueTime.millisecondsSinceEpoch + token.ttlMilliseconds
    let members: [(name: StaticString, value: String)] = [
      ("expires", "\(expires)"), ("mvpdId", token.mvpdID), ("requestor", requestor), ("resource", resource),
      ("serializedToken", String(decoding: text, as: UTF8.self)), ("userId", token.sessionGUID),
    ]
    response.status = 200
    guard isXML else {
      return response.writeObject { writer in for (name, value) in members { writer.member(name, value) } }
    }
    response.writeXML("play", members)
  }

  private func write(_ denial: StandInTable.Denial, isXML: Bool = false, with response: inout Response) {
    let error = denial.error(seenAt: table)
    response.status = denial.status
    guard isXML else { return response.writeObject(error.writeMembers) }
    response.writeXML("error", [(name: "status", value: "\(error.status)")] + error.texts)
  }

  private func token(_ requestor: String, _ resource: String, _ mvpd: String) -> DevelopmentToken {
    var token = DevelopmentToken(
      requestorID: requestor, resourceID: resource, issueTime: .now,
      sessionGUID: DevelopmentToken.randomSessionGUID())
    token.mvpdID = mvpd
    // As production writes documents.
    if resource.utf8.first == UInt8(ascii: "<") { token.resourceForm = .cdata }
    return token
  }

  /// In base64; nil for a name that no token can carry.
  private func signed(_ token: DevelopmentToken) -> [UInt8]? {
    do throws(Problem) {
      var issuer = try DevelopmentTokenIssuer(pair)
      var text: [UInt8] = []
      try issuer.issue(token, as: .base64, into: &text)
      return text
    } catch {
      return nil
    }
  }

  /// Nil for any body other than `{"resources": [...]}`.
  private static func resources(_ body: Span<UInt8>) -> [String]? {
    guard let document = try? JSONTree(parsing: body, levels: DecisionDocument.mostLevels),
      case .array(let elements)? = document["resources"]?.value
    else { return nil }
    var resources: [String] = []
    for element in elements {
      guard case .string(let text) = element.value, !text.isEmpty else { return nil }
      resources.append(text)
    }
    return resources.isEmpty ? nil : resources
  }

  /// The query's, by name; the last of a name counts, and none if one of them is broken.
  private static func parameters(_ request: borrowing Request) -> [String: String] {
    var parameters: [String: String] = [:]
    var (name, value): ([UInt8], [UInt8]) = ([], [])
    do throws(RequestError) {
      try FormText.forEachParameter(of: request.query, name: &name, value: &value) {
        (name, value) throws(RequestError) in
        guard let name = String(validating: name, as: UTF8.self),
          let value = String(validating: value, as: UTF8.self)
        else { throw .parameter("a parameter is not UTF-8") }
        parameters[name] = value
      }
    } catch {
      return [:]
    }
    return parameters
  }
}

extension Response {
  fileprivate mutating func writeXML(_ root: StaticString, _ members: [(name: StaticString, value: String)]) {
    contentType = "application/xml;charset=UTF-8"
    var text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n<\(root)>"
    for (name, value) in members {
      text += "<\(name)>"
      for scalar in value.unicodeScalars {
        switch scalar {
        case "&": text += "&amp;"
        case "<": text += "&lt;"
        case ">": text += "&gt;"
        case "\r": text += "&#13;"
        default: text.unicodeScalars.append(scalar)
        }
      }
      text += "</\(name)>"
    }
    body = Array("\(text)</\(root)>\n".utf8)
  }
}
