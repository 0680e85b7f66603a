internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The callers of a listener on the loopback interface: programs of this host, and pages of ours. A browser of this
/// host also shows pages of others, whose scripts can send requests there.
enum LoopbackSite {
  /// The sign that another site asks.
  enum Foreign: Sendable {
    /// `Host` is no name of the loopback interface: a name of another site has been made to lead here (DNS rebinding).
    case host
    /// `Origin` or `Sec-Fetch-Site` names another site.
    case site
  }

  static let isForPrograms =
    "this listener is for programs of this host: Host must be localhost, 127.0.0.1 or [::1], and neither Origin nor Sec-Fetch-Site that of another site"
  static let isForPeople = "another site asks, as Origin or Sec-Fetch-Site says; type the inspector's address"

  /// Nil if the request may be looked at. `lacksHost`: the result for a request of HTTP/1.0 without `Host`, which no
  /// browser sends.
  static func judge(_ request: borrowing Request, lacksHost: Foreign? = .host) -> Foreign? {
    // A request of HTTP/1.1 has it once; the server has looked.
    guard case .one(let place) = request.fields.find(host.span) else { return lacksHost }
    let host = request.fields.value(place)
    guard isOurs(host) else { return .host }
    switch request.fields.find(origin.span) {
    case .none: break
    case .repeated: return .site
    case .one(let place):
      // The scheme is http: no TLS is spoken here.
      let value = request.fields.value(place)
      guard value.begins(with: scheme),
        value.extracting(scheme.utf8CodeUnitCount...).isSameName(as: host)
      else { return .site }
    }
    switch request.fields.find(fetchSite.span) {
    case .none: return nil
    case .repeated: return .site
    case .one(let place):
      let value = request.fields.value(place)
      return value.isExactly("same-origin") || value.isExactly("none") ? nil : .site
    }
  }

  private static let host = Array("host".utf8)
  private static let origin = Array("origin".utf8)
  private static let fetchSite = Array("sec-fetch-site".utf8)
  private static let scheme: StaticString = "http://"

  /// Only names that can't be made to lead elsewhere. The port is any, because `ssh -L` and `kubectl port-forward` lead
  /// here too.
  private static func isOurs(_ host: Span<UInt8>) -> Bool {
    for name in ["localhost", "127.0.0.1", "[::1]"] {
      let name = Array(name.utf8)
      guard host.count >= name.count, host.extracting(..<name.count).isSameName(as: name.span) else { continue }
      if isOurPort(host.extracting(name.count...)) { return true }
    }
    return false
  }

  /// `rest`: the text after the name: nothing, or a colon and the port.
  private static func isOurPort(_ rest: Span<UInt8>) -> Bool {
    guard rest.count > 0 else { return true }
    guard rest[0] == UInt8(ascii: ":"), (2...6).contains(rest.count) else { return false }
    var number: UInt32 = 0
    for index in 1..<rest.count {
      let digit = rest[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return false }
      number = number * 10 + UInt32(digit)
    }
    return (1...65535).contains(number)
  }
}
