internal import MediaTokenSystem

/// A permit as Adobe Pass writes it in the answer to `decisions/authorize` of REST API v2: for development, and for tests of what
/// reads it.
package struct WrittenDecision: Sendable, Redacted {
  private let resource, serviceProvider, mvpd: String
  /// In base64.
  private let token: [UInt8]
  /// The beginning and the end of the token's life, in milliseconds since 1970.
  private let notBefore, notAfter: Int64

  /// The usual life of an authorization: much longer than the token's, as programmer and provider agree.
  private static let authorizationMilliseconds: Int64 = 24 * 3600 * 1000

  /// `token` is in base64; `notBefore` and `notAfter` are its life, in milliseconds since 1970.
  package init(
    resource: String, serviceProvider: String, mvpd: String, token: [UInt8], notBefore: Int64, notAfter: Int64
  ) {
    (self.resource, self.serviceProvider, self.mvpd) = (resource, serviceProvider, mvpd)
    (self.token, self.notBefore, self.notAfter) = (token, notBefore, notAfter)
  }

  /// Writes the whole answer, of which it is the only decision.
  package func write(to writer: inout JSONWriter) {
    writer.object { $0.member("decisions", objects: [self]) { $0.writeMembers(&$1) } }
  }

  private func writeMembers(_ writer: inout JSONWriter) {
    writer.member("resource", resource)
    writer.member("serviceProvider", serviceProvider)
    writer.member("mvpd", mvpd)
    writer.member("source", "mvpd")
    writer.member("authorized", true)
    writer.member("token") { member in
      member.member("notBefore", notBefore)
      member.member("notAfter", notAfter)
      member.member("serializedToken", plain: token.span)
    }
    writer.member("notBefore", notBefore)
    writer.member("notAfter", notBefore + Self.authorizationMilliseconds)
  }
}
