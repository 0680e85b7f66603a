internal import MediaTokenHTTP

/// What a request comes to by its head alone: decided once, and kept with the request.
enum Routing: Hashable, Sendable {
  case endpoint(Endpoint)
  /// The path can be read in two ways.
  case pathRefused
  case notFound
  /// The listener for health and metrics is asked for more.
  case notOverTCP
  /// The listener on the loopback interface is asked by a page of another site.
  case foreignSite
  case methodNotAllowed(Endpoint)
  /// The question to `/v1/verify` can be refused without its body.
  case refused

  /// - Parameter request: with its head; its body is not looked at.
  init(_ request: borrowing Request, in state: ServingState) {
    if request.peer.isTCP, LoopbackSite(port: nil).judge(request, lacksHost: nil) != nil {
      self = .foreignSite
      return
    }
    let path = request.target.extracting(..<RequestTarget(request.target).pathEnd)
    guard let endpoint = Endpoint(path: path) else {
      // What is an endpoint byte for byte needs no look at its segments; /v1/auth looks at what comes after it.
      self = RequestPath.decode(path) == nil ? .pathRefused : .notFound
      return
    }
    if request.peer.isTCP, !endpoint.isPublic, state.configuration.tcp?.mayVerify != true {
      self = .notOverTCP
    } else {
      self = endpoint.allows(request.method) ? .endpoint(endpoint) : .methodNotAllowed(endpoint)
    }
  }

  /// What the server keeps of it: see ``Route``.
  var number: Int {
    switch self {
    case .pathRefused: 0
    case .notFound: 1
    case .notOverTCP: 2
    case .refused: 3
    case .foreignSite: 4
    case .endpoint(let endpoint): 6 + 2 * endpoint.rawValue
    case .methodNotAllowed(let endpoint): 7 + 2 * endpoint.rawValue
    }
  }

  /// The decision with this number; any other number means that there is no endpoint.
  init(number: Int) {
    switch number {
    case 0: self = .pathRefused
    case 2: self = .notOverTCP
    case 3: self = .refused
    case 4: self = .foreignSite
    case 6...:
      guard let endpoint = Endpoint(rawValue: (number - 6) / 2) else { fallthrough }
      self = number % 2 == 0 ? .endpoint(endpoint) : .methodNotAllowed(endpoint)
    default: self = .notFound
    }
  }
}
