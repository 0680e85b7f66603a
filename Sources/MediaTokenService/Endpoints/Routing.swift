internal import MediaTokenHTTP

/// What a request comes to by its head alone: decided once, and kept with the request as its number.
enum Routing: RawRepresentable {
  case endpoint(Endpoint)
  case refused(Refused)

  /// Why no endpoint answers.
  enum Refused: Int, Hashable, Sendable, CaseIterable {
    case notFound = 1
    /// The path can be read in two ways.
    case path
    case methodNotAllowed
    /// The listener for health and metrics is asked for more.
    case notOverTCP
    /// The listener on the loopback interface is asked by a page of another site.
    case foreignSite
    /// The question to `/v1/verify` can be refused without its body.
    case question
  }

  /// An endpoint's own number, or less than 0.
  var rawValue: Int {
    switch self {
    case .endpoint(let endpoint): endpoint.rawValue
    case .refused(let refused): -refused.rawValue
    }
  }

  /// Any other number means that there is no endpoint.
  init(rawValue: Int) {
    self = Endpoint(rawValue: rawValue).map { .endpoint($0) } ?? .refused(Refused(rawValue: -rawValue) ?? .notFound)
  }

  /// - Parameter request: with its head; its body is not looked at.
  init(_ request: borrowing Request, in state: ServingState) {
    if request.peer.isTCP, LoopbackSite(port: nil).judge(request, lacksHost: nil) != nil {
      self = .refused(.foreignSite)
      return
    }
    guard let endpoint = Endpoint(path: request.path) else {
      // What is an endpoint byte for byte needs no look at its segments; /v1/auth looks at what comes after it.
      self = .refused(RequestPath.decode(request.path) == nil ? .path : .notFound)
      return
    }
    if request.peer.isTCP, !endpoint.isPublic, state.configuration.tcp?.mayVerify != true {
      self = .refused(.notOverTCP)
    } else {
      self = endpoint.allows(request.method) ? .endpoint(endpoint) : .refused(.methodNotAllowed)
    }
  }
}
