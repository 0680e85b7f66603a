package import MediaToken

/// The fields of a token for development, before it is signed.
///
/// The defaults are what production sends; names and values are written as they are, so that a test can also ask
/// for tokens that a verifier refuses.
package struct DevelopmentToken: Sendable {
  /// The root element: `authToken` on the wire, `shortAuthorizationToken` in the documents.
  package var root = "authToken"
  /// The viewer's hashed account id.
  package var sessionGUID: String
  package var requestorID: String
  package var resourceID: String
  package var resourceForm = ResourceForm.text
  package var ttlMilliseconds: Int64 = 300_000
  /// Written in whole seconds.
  package var issueTime: Instant
  /// The time zone that the issue time is written in, in minutes east of UTC.
  package var utcOffsetMinutes = -480
  package var mvpdID = "Sample_MVPD"
  /// The proxy provider by which the viewer was authenticated; nil leaves the element out.
  package var proxyMVPDID: String?

  /// The form in which ``DevelopmentToken/resourceID`` is written.
  package enum ResourceForm: String, Sendable, Hashable, CaseIterable {
    /// As escaped text.
    case text
    /// In CDATA, as production writes MRSS documents.
    case cdata
  }

  /// A token for one requestor and resource; everything else can be changed afterwards.
  package init(requestorID: String, resourceID: String, issueTime: Instant, sessionGUID: String) {
    self.requestorID = requestorID
    self.resourceID = resourceID
    self.issueTime = issueTime
    self.sessionGUID = sessionGUID
  }

  /// 32 hexadecimal digits from the system's random source, in the shape of a production GUID.
  package static func randomSessionGUID() -> String {
    let halves = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 16) }
    return halves.map { String(repeating: "0", count: 16 - $0.utf8.count) + $0 }.joined()
  }
}

extension DevelopmentToken: CustomStringConvertible, CustomReflectable {
  /// For what it is; never for whom.
  public var description: String { "a token for \(requestorID)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
