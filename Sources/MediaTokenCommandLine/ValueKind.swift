package import MediaToken

/// The kind of an option's value or of an operand: its name in the help, and what a shell can complete.
package enum ValueKind: Sendable, Hashable {
  case text
  case file
  case fileOrInput
  case folder
  /// A file, a folder or a socket.
  case path
  /// A program: a path, or a name that is looked up in PATH.
  case program
  case tokenOrInput
  /// A whole number in a range.
  case number(ClosedRange<Int64>, SettingUnit)
  case words([String])
  /// The name of a requestor, a resource, a provider or a request, as its owner writes it.
  case requestor, resource, provider, request
  case sessionGUID
  /// A name of letters, digits and a few other characters.
  case name
  case fingerprintOrAny
  case instant
  /// The time by which the clocks of a time zone are ahead of UTC.
  case utcOffset
  case replayAddress
  /// Where a program listens: the path of a socket, or an address and a port.
  case listeningAddress
  case format
  case pathPrefix
  case host
  case keyID

  /// The help's name for it: `FILE|-`.
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

  /// True if it names something in the file system, which messages repeat.
  var namesFile: Bool {
    switch self {
    case .file, .fileOrInput, .folder, .path, .program: true
    default: false
    }
  }
}
