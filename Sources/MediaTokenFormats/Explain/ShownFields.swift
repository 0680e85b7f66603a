package import MediaToken

package enum HiddenGUID {
  package static func text(_ guid: String) -> String { guid.isEmpty ? "empty" : "present, not shown" }
}

extension Fields {
  /// In the order in which `explain` and `inspect` print them.
  package func shown(withGUID showsGUID: Bool) -> [(name: StaticString, value: String)] {
    var shown: [(name: StaticString, value: String)] = [
      ("sessionGUID", showsGUID ? sessionGUID : HiddenGUID.text(sessionGUID)),
      ("requestorID", requestorID.text), ("resourceID", resourceID.text), ("ttl", ttl.shown),
      ("issueTime", issueTime.shown), ("mvpdId", mvpdID.text),
    ]
    if let proxyMVPDID { shown.append(("proxyMvpdId", proxyMVPDID.text)) }
    if !unknownFields.isEmpty { shown.append(("unknownFields", unknownFields.joined(separator: " "))) }
    return shown
  }
}

extension ShortText {
  fileprivate var shown: String {
    guard !bytes.isEmpty else { return "too long to be well formed" }
    var text = ""
    do {
      text = String(copying: try UTF8Span(validating: bytes))
    } catch {
      text = "not UTF-8"
    }
    return text
  }
}
