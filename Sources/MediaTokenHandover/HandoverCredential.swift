/// A text or cookies that a player is given so that its segments are let through.
///
/// - Warning: it opens the segments to anyone who has it, until it ends. Do not log it.
public struct HandoverCredential: Sendable, Hashable {
  /// The credential as one text: printable ASCII without spaces, except that CloudFront's cookies are `NAME=VALUE; NAME=VALUE`, as a
  /// client sends them.
  public let text: String
  /// The same as cookies.
  public let cookies: [Cookie]
  /// The path that it opens, which is where a client should send the cookies.
  public let path: String
  /// The life of the credential, in seconds.
  public let lifeSeconds: Int

  /// A cookie: both parts are written as they are (RFC 6265, section 4.1.1).
  public struct Cookie: Sendable, Hashable {
    public let name: String
    public let value: String
  }
}

extension HandoverCredential: CustomStringConvertible, CustomReflectable {
  /// Names the path; never the credential.
  public var description: String { "a credential for \(path)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HandoverCredential.Cookie: CustomStringConvertible, CustomReflectable {
  /// The cookie's name; never its value.
  public var description: String { "the cookie \(name)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
