internal import MediaToken

/// The first tag of what a trusted key signed: the kind of a token, whatever else is wrong with it.
///
/// Adobe's key signs other tokens too, whose elements are nested (Adobe's "Amazon FireOS Technical Overview",
/// "Format"). The path refuses them for that before it comes to their name, and `explain` names their kind.
struct SignedRoot {
  private let name: String

  /// The longest name that is known has half as many letters.
  private static let longestName = 64

  /// The signed bytes may begin with white space, as Adobe prints them. Nil if they do not begin with a plain tag.
  init?(of signed: Span<UInt8>) {
    var start = 0
    while start < signed.count, [0x20, 0x09, 0x0A, 0x0D].contains(signed[start]) { start += 1 }
    guard start < signed.count, signed[start] == UInt8(ascii: "<") else { return nil }
    var name: [UInt8] = []
    var end = start + 1
    while end < signed.count, signed[end] != UInt8(ascii: ">") {
      guard name.count < Self.longestName, signed[end].isNameByte else { return nil }
      name.append(signed[end])
      end += 1
    }
    guard end < signed.count, !name.isEmpty else { return nil }
    self.name = String(decoding: name, as: UTF8.self)
  }

  /// The kind of token, for people.
  var shown: String {
    switch name {
    case "authToken", "shortAuthorizationToken": "the short media token \(name)"
    case "simpleAuthenticationToken": "the authentication token \(name)"
    case "simpleAuthorizationToken": "the authorization token \(name)"
    default: "the root \(name)"
    }
  }

  /// The cure for a token of another kind; nil for a short media token, and for a kind that is not known.
  var cure: Cure? {
    switch name {
    case "simpleAuthenticationToken":
      "send the short media token; the authentication token says that the viewer has signed in, and lets nothing play"
    case "simpleAuthorizationToken":
      "send the short media token, which is made of the authorization token for each playback"
    default: nil
    }
  }
}
