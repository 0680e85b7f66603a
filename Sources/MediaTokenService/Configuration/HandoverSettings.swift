package import MediaTokenHandover

/// What a used token is exchanged for, and how a viewer's browser is to keep it.
package struct HandoverSettings: Sendable, Hashable {
  package var terms: HandoverTerms
  /// The file with the key.
  package var keyFile: String
  package var cookie = CookieSettings()
}

/// How the cookies are set. Without any of this they go to the host that answered alone, over TLS, and with no request that
/// another site makes.
package struct CookieSettings: Sendable, Hashable {
  /// Whether they go over TLS only (RFC 6265, section 5.4).
  package var isSecure = true
  package var sameSite = SameSite.lax
  /// The domain whose hosts they are sent to; nil: the host that answered.
  package var domain: String?

  /// With which requests of other sites they are sent (draft-ietf-httpbis-rfc6265bis, section 5.6.7).
  package enum SameSite: String, Sendable, Hashable, CaseIterable {
    /// With no request of another site.
    case strict = "Strict"
    /// With requests that lead the viewer here.
    case lax = "Lax"
    /// With all requests: for players on pages of another site.
    case none = "None"
  }
}
