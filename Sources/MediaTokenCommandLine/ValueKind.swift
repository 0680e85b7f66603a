/// What is typed as an option's value or as an operand: what the help calls it, and what a shell can complete.
package enum ValueKind: Sendable, Hashable {
  /// Any text.
  case text
  /// A file.
  case file
  /// A file, or `-` for standard input.
  case fileOrInput
  /// A folder.
  case folder
  /// A file, a folder or a socket.
  case path
  /// A program: a path, or a name that is looked up in PATH.
  case program
  /// A token, or `-` for standard input.
  case tokenOrInput
  /// A whole number in a range.
  case number(ClosedRange<Int64>, Unit)
  /// One of these words.
  case words([String])
  /// The name of a requestor, a resource, a provider or a request, as its owner writes it.
  case requestor, resource, provider, request
  /// What a viewer's session is called.
  case sessionGUID
  /// A name of letters, digits and a few other characters.
  case name
  /// The fingerprint of a key, or `any`.
  case fingerprintOrAny
  /// A moment.
  case instant
  /// How far the clocks of a time zone are ahead of UTC.
  case utcOffset
  /// What remembers used tokens.
  case replayAddress
  /// Where a program listens: the path of a socket, or an address and a port.
  case listeningAddress
  /// What something is written for.
  case format
  /// What a path begins with.
  case pathPrefix
  /// The name of a host.
  case host
  /// What a key is called.
  case keyID

  /// What a number counts.
  package enum Unit: Sendable, Hashable {
    case milliseconds
    case seconds
    case things
  }

  /// What the help calls it: `FILE|-`.
  package var placeholder: String {
    switch self {
    case .text: "TEXT"
    case .file: "FILE"
    case .fileOrInput: "FILE|-"
    case .folder: "DIR"
    case .path: "PATH"
    case .program: "PROGRAM"
    case .tokenOrInput: "TOKEN|-"
    case .number(_, .milliseconds): "MS"
    case .number(_, .seconds): "SECONDS"
    case .number: "N"
    case .words(let words): words.joined(separator: "|")
    case .requestor, .resource, .provider, .request, .keyID: "ID"
    case .sessionGUID: "GUID"
    case .name: "NAME"
    case .fingerprintOrAny: "FINGERPRINT|any"
    case .instant: "TIME"
    case .utcOffset: "±HHMM"
    case .replayAddress, .listeningAddress: "ADDRESS"
    case .format: "FORMAT"
    case .pathPrefix: "PREFIX"
    case .host: "HOST"
    }
  }

  /// Whether it names something in the file system, which messages repeat.
  var namesFile: Bool {
    switch self {
    case .file, .fileOrInput, .folder, .path, .program: true
    default: false
    }
  }
}
