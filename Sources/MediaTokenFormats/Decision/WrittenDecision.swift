internal import MediaTokenSystem

/// One decision as Adobe Pass writes it: for development, and for tests of what reads it.
package struct WrittenDecision: Sendable {
  private let resource, serviceProvider, mvpd, source: String
  private let outcome: Outcome

  /// The usual life of an authorization: much longer than the token's, as programmer and provider agree.
  package static let authorizationMilliseconds: Int64 = 24 * 3600 * 1000

  package enum Outcome: Sendable, Redacted {
    /// A token in base64, the beginning and end of its life, and the end of the decision's own, if it has one. All in
    /// milliseconds since 1970.
    case permit(token: [UInt8], notBefore: Int64, notAfter: Int64, authorization: Int64?)
    case deny(AdobeError)
  }

  /// The source is `mvpd`, `degradation`, `temppass` or `dummy`.
  package init(
    resource: String, serviceProvider: String, mvpd: String, source: String = "mvpd", _ outcome: Outcome
  ) {
    (self.resource, self.serviceProvider, self.mvpd) = (resource, serviceProvider, mvpd)
    (self.source, self.outcome) = (source, outcome)
  }

  package static func write(_ decisions: [WrittenDecision], to writer: inout JSONWriter) {
    writer.object { $0.member("decisions", objects: decisions) { $0.writeMembers(&$1) } }
  }

  private func writeMembers(_ writer: inout JSONWriter) {
    writer.member("resource", resource)
    writer.member("serviceProvider", serviceProvider)
    writer.member("mvpd", mvpd)
    writer.member("source", source)
    switch outcome {
    case .permit(let token, let notBefore, let notAfter, let authorization):
      writer.member("authorized", true)
      writer.member("token") { member in
        member.member("notBefore", notBefore)
        member.member("notAfter", notAfter)
        member.member("serializedToken", plain: token.span)
      }
      guard let authorization else { return }
      writer.member("notBefore", notBefore)
      writer.member("notAfter", authorization)
    case .deny(let error):
      writer.member("authorized", false)
      writer.member("error", object: error.writeMembers)
    }
  }
}

package struct AdobeError: Sendable {
  let action, code: String
  /// The status of HTTP where it is the whole answer.
  package let status: UInt16
  private let message, helpURL, trace: String

  /// The message is for people. The trace names this answer.
  package init(action: String, status: UInt16, code: String, message: String, helpURL: String, trace: String) {
    (self.action, self.status, self.code) = (action, status, code)
    (self.message, self.helpURL, self.trace) = (message, helpURL, trace)
  }

  /// All but the status, which is a number in JSON.
  package var texts: [(name: StaticString, value: String)] {
    [("action", action), ("code", code), ("message", message), ("helpUrl", helpURL), ("trace", trace)]
  }

  package func writeMembers(_ writer: inout JSONWriter) {
    writer.member("status", Int64(status))
    for (name, value) in texts { writer.member(name, value) }
  }
}
