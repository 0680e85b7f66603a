internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenIssuer
internal import MediaTokenSystem

/// Answers in Adobe Pass's place at a listener of its own, with tokens of the key that `--dev` trusts. Only programs and pages
/// of this host may ask. It knows nothing of verdicts.
final class StandInHandler: RequestHandler {
  let pair: DevelopmentKeyPair
  /// The address of the table of answers, for people.
  let table: String
  private let bodyBytes: Int

  init(_ pair: DevelopmentKeyPair, _ address: InspectorAddress, bodyBytes: Int) {
    (self.pair, self.bodyBytes) = (pair, bodyBytes)
    table = "http://\(address.text)/"
  }

  func route(_ request: borrowing Request) -> Route {
    let isRead = request.method.isExactly("POST") && LoopbackSite.judge(request, pages: .ofThisHost) == nil
    return Route(0, body: isRead ? .collect(atMost: bodyBytes) : .unread)
  }

  func answer(_ request: borrowing Request, on route: Route, with response: inout Response) -> Answering {
    guard LoopbackSite.judge(request, pages: .ofThisHost) == nil else {
      response.writeError(403, "foreign-site", "only programs and pages of this host may ask; see \(table)")
      return .now
    }
    appendHeaders(request, to: &response)
    if request.method.isExactly("OPTIONS") {
      response.status = 204
      return .now
    }
    let path = RequestPath.decode(request.path).flatMap { String(validating: $0, as: UTF8.self) }
    let parts = (path ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { String($0) }
    if path == "/" {
      guard allows(request, "GET", with: &response) else { return .now }
      response.status = 200
      response.contentType = "text/plain; charset=utf-8"
      response.body.append(contentsOf: StandInTable.text.utf8)
    } else if parts.count == 6, parts[0...1] == ["api", "v2"], parts[3...4] == ["decisions", "authorize"] {
      guard allows(request, "POST", with: &response) else { return .now }
      decide(request, serviceProvider: parts[2], mvpd: parts[5], with: &response)
    } else if path == "/api/v1/mediatoken" || path == "/api/v1/tokens/media" {
      guard allows(request, "GET", with: &response) else { return .now }
      giveToken(request, with: &response)
    } else {
      response.writeError(404, "not-found", "the stand-in for Adobe Pass does not have this path; see \(table)")
    }
    return .now
  }

  /// A method that is not the path's is answered here.
  private func allows(_ request: borrowing Request, _ method: StaticString, with response: inout Response) -> Bool {
    if request.method.isExactly(method) { return true }
    response.addField("Allow", "\(method)")
    response.writeError(
      405, "method-not-allowed", "the path takes the methods in the header Allow, and not this one")
    return false
  }

  /// Tells a browser that a page of this host may read the answer, and that nothing is kept.
  private func appendHeaders(_ request: borrowing Request, to response: inout Response) {
    response.addField("Cache-Control", "no-store")
    response.addField("Vary", "Origin")
    response.addField("X-Content-Type-Options", "nosniff")
    guard let origin = value(of: "origin", request) else { return }
    response.addField("Access-Control-Allow-Origin", origin)
    guard request.method.isExactly("OPTIONS") else { return }
    response.addField("Access-Control-Allow-Methods", "GET, POST")
    if let names = value(of: "access-control-request-headers", request) {
      response.addField("Access-Control-Allow-Headers", names)
    }
    response.addField("Access-Control-Max-Age", "600")
  }

  /// Nil unless the field came once and is not empty.
  func value(of name: String, _ request: borrowing Request) -> String? {
    guard case .one(let place) = request.fields.find(Array(name.utf8).span), !place.isEmpty else { return nil }
    var bytes: [UInt8] = []
    bytes.append(copying: request.fields.value(place))
    return String(validating: bytes, as: UTF8.self)
  }

  func refuse(_ refusal: RequestRefusal, with response: inout Response) { response.write(refusal) }

  func answered(_ status: UInt16, delivered: Bool) {}
}
