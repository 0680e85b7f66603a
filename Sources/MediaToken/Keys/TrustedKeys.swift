/// The keys that may vouch for tokens.
public struct TrustedKeys: Sendable {
  public let keys: [TrustedKey]
  package init(unchecked keys: [TrustedKey]) { self.keys = keys }
}
