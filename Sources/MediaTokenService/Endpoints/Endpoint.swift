internal import MediaTokenSystem

enum Endpoint: Int, Hashable, Sendable, CaseIterable {
  case verify
  case auth
  case live
  case ready
  case metrics
  case keys

  /// Byte for byte: escapes are not decoded. Nil if no endpoint has the path.
  init?(path: Span<UInt8>) {
    if path.isExactly("/v1/verify") {
      self = .verify
    } else if path.isExactly("/v1/auth") || path.begins(with: "/v1/auth/") {
      self = .auth
    } else if path.isExactly("/livez") {
      self = .live
    } else if path.isExactly("/readyz") {
      self = .ready
    } else if path.isExactly("/metrics") {
      self = .metrics
    } else if path.isExactly("/v1/keys") {
      self = .keys
    } else {
      return nil
    }
  }

  var logName: String {
    switch self {
    case .verify: "verify"
    case .auth: "auth"
    case .live: "livez"
    case .ready: "readyz"
    case .metrics: "metrics"
    case .keys: "keys"
    }
  }

  /// The value of `Allow`; nil: every method.
  var methods: StaticString? {
    switch self {
    case .verify: "POST"
    case .auth: nil
    case .live, .ready, .metrics, .keys: "GET, HEAD"
    }
  }

  func allows(_ method: Span<UInt8>) -> Bool {
    switch self {
    case .verify: method.isExactly("POST")
    case .auth: true
    case .live, .ready, .metrics, .keys: method.isExactly("GET") || method.isExactly("HEAD")
    }
  }

  /// True if its answers say nothing about tokens and keys, so that every process on this machine may ask.
  var isPublic: Bool {
    switch self {
    case .live, .ready, .metrics: true
    case .verify, .auth, .keys: false
    }
  }
}
