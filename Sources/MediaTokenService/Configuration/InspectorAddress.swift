package import MediaToken
package import MediaTokenFormats

/// Where the inspector listens: on the loopback interface, or at a UNIX socket. There is no other place for it.
package enum InspectorAddress: Sendable, Hashable {
  /// `127.0.0.1` or `[::1]`, as an address in a browser has it.
  case loopback(host: String, port: UInt16)
  case socket(ExactText)

  /// As it is written.
  package var text: String {
    switch self {
    case .loopback(let host, let port): "\(host):\(port)"
    case .socket(let path): path.text
    }
  }
}

extension InspectorAddress {
  /// - Throws: ``/MediaToken/Problem`` for a place that other hosts may reach, and for what is no place.
  package init(_ text: String) throws(Problem) {
    if let first = text.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "."),
      text.utf8.contains(UInt8(ascii: "/"))
    {
      self = .socket(try checkedSocketPath(text))
      return
    }
    guard let address = Self.loopback(text) else {
      throw Problem(
        "not an address of the inspector, which only this host may reach",
        cure: "write 127.0.0.1:PORT, [::1]:PORT, or the path of a socket that begins with / or ./")
    }
    self = address
  }

  /// An address of the loopback interface; nil for any other text.
  package static func loopback(_ text: String) -> InspectorAddress? {
    for host in ["127.0.0.1", "[::1]"] where text.utf8.starts(with: "\(host):".utf8) {
      let digits = text.utf8.dropFirst(host.utf8.count + 1)
      guard digits.first != UInt8(ascii: "0"), digits.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }),
        let port = UInt16(String(Substring(digits)))
      else { return nil }
      return .loopback(host: host, port: port)
    }
    return nil
  }
}

extension Form<InspectorAddress> {
  /// Where the inspector listens.
  package static var inspectorAddress: Form {
    text(.listeningAddress) { (text) throws(Problem) in try InspectorAddress(text) }
  }

  /// A port of the loopback interface.
  package static var loopbackAddress: Form {
    text(
      .loopbackAddress, isNot: "an address that only this host may reach",
      cure: "write 127.0.0.1:PORT or [::1]:PORT"
    ) { InspectorAddress.loopback($0) }
  }
}
