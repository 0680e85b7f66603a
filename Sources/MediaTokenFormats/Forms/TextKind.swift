internal import MediaToken
internal import MediaTokenSystem

/// What a text is.
package struct TextKind: Sendable {
  /// In words, for documents and messages about a file: `a path`.
  package let what: String
  /// How many it may have, if that is bounded; what reads it enforces that.
  package let bytes: ClosedRange<Int>?
  /// Its name in the help of an option.
  let placeholder: String
  let offer: Offer

  package init(
    _ what: String, bytes: ClosedRange<Int>? = nil, _ placeholder: String = "TEXT", offers offer: Offer = .nothing
  ) {
    (self.what, self.bytes, self.placeholder, self.offer) = (what, bytes, placeholder, offer)
  }

  /// What a shell can complete.
  package enum Offer: Sendable, Hashable {
    case files, folders, programs
    case words([String])
    /// Those that the daemon's configuration names.
    case requestors
    /// Those of the keys that were typed before.
    case fingerprints
    /// Only the user knows.
    case nothing
  }
}

extension TextKind {
  package static let text = TextKind("text")
  package static let file = TextKind("a file's path", "FILE", offers: .files)
  package static let fileOrInput = TextKind("a file's path", "FILE|-", offers: .files)
  package static let folder = TextKind("a folder's path", "DIR", offers: .folders)
  /// A file, a folder or a socket.
  package static let path = TextKind("a path", "PATH", offers: .files)
  /// A path, or a name that is looked up in PATH.
  package static let program = TextKind("a program", "PROGRAM", offers: .programs)
  package static let tokenOrInput = TextKind("a token", "TOKEN|-")
  /// The name of a requestor, a resource, a provider or a request, as its owner writes it.
  package static let requestor = TextKind("a requestor's id", "ID", offers: .requestors)
  package static let resource = TextKind("a resource", "ID")
  package static let resourceDocument = TextKind("a Media RSS document", bytes: 1...Limits.receivedBytes)
  package static let channel = TextKind("a channel's id", "ID")
  package static let provider = TextKind("a provider's id", "ID")
  package static let request = TextKind("a request's id", "ID")
  package static let keyID = TextKind("a key's id", "ID")
  package static let sessionGUID = TextKind("a sessionGUID", "GUID")
  /// Of letters, digits and a few other characters.
  package static let name = TextKind("a name", "NAME")
  package static let fingerprintOrAny = TextKind("a fingerprint", "FINGERPRINT|any", offers: .fingerprints)
  package static let instant = TextKind("a time", "TIME")
  /// The time by which the clocks of a time zone are ahead of UTC.
  package static let utcOffset = TextKind("an offset", "±HHMM")
  package static let replayAddress = TextKind("the address of a replay memory", "ADDRESS")
  /// Where a program listens: the path of a socket, or an address and a port.
  package static let listeningAddress = TextKind(
    "127.0.0.1:PORT, [::1]:PORT or a socket's path with a /", bytes: 1...SocketSpelling.longestPath, "ADDRESS",
    offers: .files)
  package static let loopbackAddress = TextKind("127.0.0.1:PORT or [::1]:PORT", "ADDRESS")
  package static let format = TextKind("a format", "FORMAT")
  package static let pathPrefix = TextKind("a path that begins and ends with /", "PREFIX")
  package static let host = TextKind("the name of a host", "HOST")
}
