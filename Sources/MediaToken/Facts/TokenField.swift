/// The fields of a token by their names on the wire, in the issuer's order.
public enum TokenField: String, Sendable, Hashable, CaseIterable {
  case sessionGUID
  case requestorID
  case resourceID
  case ttl
  case issueTime
  case mvpdID = "mvpdId"
  case proxyMVPDID = "proxyMvpdId"

  /// All but `proxyMvpdId` (<doc:TokenFormat>, "Fields").
  public var isRequired: Bool { self != .proxyMVPDID }

  /// Fields that say nothing when they are empty.
  public var mustHaveText: Bool {
    switch self {
    case .requestorID, .resourceID, .ttl, .issueTime: true
    case .sessionGUID, .mvpdID, .proxyMVPDID: false
    }
  }
}
