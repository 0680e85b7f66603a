package import MediaToken
package import MediaTokenReplay
internal import MediaTokenSystem

/// Everything that an operator chooses, as ``Settings`` declares it. Each property's initial value is the setting's default.
package struct Configuration: Sendable, Hashable {
  /// Where the daemon listens.
  package var socket: Socket
  /// The listener for health and metrics on the loopback interface; nil: none.
  package var tcp: TCP?
  /// The listener that explains refusals to a support desk; nil: off.
  package var inspector: Inspector?
  /// How many threads answer requests; one for each processor unless chosen otherwise.
  package var threads = usualThreads
  /// Key files and folders.
  package var keys: [String]
  /// The keys of less than 2048 bits that are trusted nevertheless.
  package var allowRSA1024: Set<Fingerprint> = []
  /// What remembers used tokens.
  package var replay: Replay
  /// The requestors that the daemon serves, at least one.
  package var tenants: [TenantSettings]
  /// Who may connect.
  package var peers = Peers()
  /// The endpoint for proxies; nil: it is off.
  package var auth: AuthSettings?
  /// The header in which callers name their requests, in lower case; nil: no caller can repeat itself.
  package var requestIDHeader: String?
  /// How much a caller may send.
  package var limits = SizeLimits()
  /// How long things may take.
  package var deadlines = Deadlines()
  /// What is logged of verdicts.
  package var log = LogSettings()
  /// Where editors find the schema of the file; nothing else reads it.
  package var schema: String?
  /// Pseudonyms of viewers' accounts in answers and log lines; nil: none.
  package var viewerTag: ViewerTag?
}

extension Configuration {
  /// What holds before anything is read: no requestor is served, and the replay memory cannot be opened.
  static let blank = Configuration(
    socket: Socket(path: ""), keys: [], replay: Replay(address: .shared(path: "", capacity: nil)), tenants: [])

  /// How many threads there may be.
  package static let threadCounts = 1...64

  /// One thread for each processor.
  package static var usualThreads: Int { min(threadCounts.upperBound, CurrentProcess.processors) }

  /// The key of the first setting that differs and that a running daemon cannot exchange; nil if it can take them all.
  func sectionThatNeedsRestart(comparedWith running: Configuration) -> String? {
    Settings.file.keyThatNeedsRestart(running, self)
  }

  /// The files with keys of hand-overs.
  var handoverKeyFiles: [String] {
    (tenants.map(\.handover) + (auth?.routes ?? []).map(\.handover)).compactMap { $0?.keyFile }
  }

  /// The socket's file.
  package struct Socket: Sendable, Hashable {
    package var path: ExactText
    /// Permission bits; 0660 unless chosen otherwise.
    package var mode: UInt32 = 0o660
    /// The file's owner; nil leaves it as it is made.
    package var owner: UInt32?
    /// The file's group; nil leaves it as it is made.
    package var group: UInt32?
  }

  /// The inspector's listener: whom it admits is its own, because those whom the socket admits may use tokens up.
  package struct Inspector: Sendable, Hashable {
    /// On the loopback interface, unless it is at a path.
    package var address: InspectorAddress?
    package var path: ExactText?
    /// Permission bits of the file at the path; the daemon's own user alone unless chosen otherwise.
    package var mode: UInt32 = 0o600
    package var owner: UInt32?
    package var group: UInt32?
    package var peers = Peers()

    /// Where it listens.
    package init(at place: InspectorAddress? = nil) {
      if case .socket(let path) = place { self.path = path } else { address = place }
    }

    /// Where it listens; the settings' check has found just one place.
    package var place: InspectorAddress? { path.map { .socket($0) } ?? address }
  }

  /// The loopback listener.
  package struct TCP: Sendable, Hashable {
    /// `127.0.0.1` or `::1`.
    package var address: String
    package var port: UInt16
    /// Whether it serves more than health and metrics. Any user of the machine may connect to it.
    package var mayVerify = false
  }

  /// The replay memory.
  package struct Replay: Sendable, Hashable {
    package var address: ReplayAddress
    /// For how long a repeated request gets its first answer; 0: never.
    package var retryWindowMilliseconds: Int64 = 0
    /// How a fleet is asked; other memories ignore it.
    package var fleet = FleetSettings.standard

    package init(
      address: ReplayAddress, retryWindowMilliseconds: Int64 = 0, fleet: FleetSettings = .standard
    ) {
      (self.address, self.retryWindowMilliseconds, self.fleet) = (address, retryWindowMilliseconds, fleet)
    }

    /// Whether seats that hosts share are asked.
    var isFleet: Bool {
      if case .fleet = address { return true }
      return false
    }
  }

  /// Who may connect to the socket; empty lists, which no file says, ask for nothing beyond the file's permissions.
  package struct Peers: Sendable, Hashable {
    package var allowUIDs: [UInt32] = []
    package var allowGIDs: [UInt32] = []
  }

  /// How much a caller may send.
  package struct SizeLimits: Sendable, Hashable {
    /// The body of one verification: a token of the greatest length with every byte escaped in JSON.
    package var bodyBytes = 256 * 1024
    /// Request line and header fields.
    package var headBytes = 16 * 1024
    /// Connections at once.
    package var connections = 16_000
  }

  /// Times in milliseconds.
  package struct Deadlines: Sendable, Hashable {
    /// From a request's first byte until its answer is written.
    package var requestMilliseconds: Int64 = 10_000
    /// How long a connection may be silent between requests; longer than nginx keeps one (60 s), so that nginx closes it.
    package var idleMilliseconds: Int64 = 75_000
    /// How long the end may take after SIGTERM.
    package var drainMilliseconds: Int64 = 20_000
  }

  /// The log.
  package struct LogSettings: Sendable, Hashable {
    package var verdicts = LoggedVerdicts.refused
    /// The most lines about verdicts in one second.
    package var linesPerSecond = 20
  }

  /// Pseudonyms of viewers' accounts.
  package struct ViewerTag: Sendable, Hashable {
    /// The file with the key of the HMAC.
    package var key = ""
    /// For how many hours an account keeps its pseudonym.
    package var rotateHours: Int64 = 24
  }

  /// Which verdicts get a line.
  package enum LoggedVerdicts: String, Sendable, Hashable, CaseIterable {
    case none, refused, all
  }
}

/// A requestor that the daemon serves.
package struct TenantSettings: Sendable, Hashable {
  package var requestor: ExactText
  package var resources: PlayedResources
  package var policy: Policy
  /// What the answers of `/v1/verify` bring; nil: nothing.
  package var handover: HandoverSettings?
}

/// What a tenant plays.
package enum PlayedResources: Sendable, Hashable {
  /// Whatever a request names.
  case every
  /// These and no others.
  case listed([ExactText])
  /// One document or channel.
  case one(ExpectedResource)
}

/// How proxies ask.
package struct AuthSettings: Sendable, Hashable {
  /// The header with the token, in lower case.
  package var tokenHeader: String?
  /// The parameter with the token in the original URI's query.
  package var queryParameter: String?
  /// The header with the viewer's URI, in lower case; nil: what follows `/v1/auth` in the request's own target.
  package var uriHeader: String?
  /// The header with the viewer's method, in lower case; nil: the method of the request itself.
  package var methodHeader: String?
  /// The header with the requestor, in lower case.
  package var requestorHeader: String?
  /// The header with the resource, in lower case.
  package var resourceHeader: String?
  /// What a path asks for. Empty: every path is protected, and headers or the tenants' list decide for what.
  package var routes: [RouteRule] = []
  /// Whether every request is let through, whatever the verdict: for moving over from another verifier.
  package var observe = false
}

/// What is below a path.
package struct RouteRule: Sendable, Hashable {
  /// Decoded; it matches itself and what is below it.
  package var prefix: ExactText
  package var access: Access
  /// What is let through; everything else is refused, token or not.
  package var methods = ViewerMethod.ordinary
  /// What a used token brings here; nil: nothing.
  package var handover: HandoverSettings?

  /// What a path needs.
  package enum Access: Sendable, Hashable {
    /// No token.
    case unprotected
    /// A token; nil leaves requestor or resource to headers or the tenants' list.
    case protected(requestor: ExactText?, resource: ExpectedResource?)
  }
}
