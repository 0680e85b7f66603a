package import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The obstacles to a daemon's start, and its settings: the steps of the start, each tried with the start's own code,
/// by ``Daemon`` and ``RunningServer``. The traces of a step are removed when it was tried; a step that fails does not
/// keep the others from being tried.
package struct Diagnosis {
  package enum Level: String, Sendable, Hashable {
    case ok, warning, failed
  }

  package struct Finding {
    let level: Level
    /// A section or setting of the configuration, or another thing that is looked at.
    package let step: String
    /// After a failure with the cure.
    package let text: String
  }

  /// In the order of the start.
  package private(set) var findings: [Finding] = []
  /// The start would end with it.
  package private(set) var error: Problem?
  /// The end of the last line where a finding does not keep the daemon from starting.
  package var ending: String { findings.contains { $0.level == .warning } ? ", with warnings" : "" }
  /// True if a daemon serves the socket now.
  private var isServed = false

  package init(of source: ConfigurationSource) {
    guard let configuration = attempt("configuration", try source.configuration()) else { return }
    note(.ok, "configuration", "\(source.file ?? "--dev"), requestors: \(configuration.tenants.count)")
    lookAtPaths(source, configuration)
    lookAtState(source, configuration)
    lookAtMemory(source, configuration)
    for place in configuration.places(leavingNothing: true) { lookAtPlace(place, source.file) }
    if let (limit, warning) = attempt(
      "limits", try RunningServer.connections(configuration))
    {
      note(warning == nil ? .ok : .warning, "limits", warning ?? "connections: \(limit)")
    }
    switch RealTime.isSynchronised {
    case true?: note(.ok, "clock", "synchronised")
    case false?:
      note(
        .warning, "clock",
        "not synchronised, and the life of tokens depends on it; set up NTP (timedatectl shows the state)"
      )
    case nil: note(.ok, "clock", "the system does not say whether it is synchronised")
    }
  }

  private mutating func note(_ level: Level, _ step: String, _ text: String) {
    findings.append(Finding(level: level, step: step, text: text))
  }

  /// The error is noted.
  private mutating func attempt<Value>(
    _ step: String, _ body: @autoclosure () throws(Problem) -> Value
  ) -> Value? {
    do throws(Problem) {
      return try body()
    } catch {
      fail(step, error)
      return nil
    }
  }

  private mutating func fail(_ step: String, _ error: Problem) {
    self.error = self.error ?? error
    note(.failed, error.code ?? step, error.sentence)
  }

  /// A path without a root is another one under the service manager, which starts programs in the root folder.
  private mutating func lookAtPaths(_ source: ConfigurationSource, _ configuration: Configuration) {
    let relative = configuration.paths.filter { !$0.path.hasPrefix("/") }
    guard let first = relative.first, let folder = SystemCall.workingDirectory else { return }
    note(
      .warning, first.key,
      "\(relative.map { DisplayText.escaped($0.path) }.joined(separator: ", ")): this program looks in \(DisplayText.escaped(folder)), where it was started, and a service looks in another folder; write a path that begins with /"
    )
  }

  private mutating func lookAtState(_ source: ConfigurationSource, _ configuration: Configuration) {
    guard let verifier = attempt("keys", try source.verifier(configuration, .none)) else { return }
    note(.ok, "keys", verifier.fingerprints.map(\.description).joined(separator: ", "))
    guard let state = attempt("tenants", try ServingState(configuration, verifier, file: source.file)) else {
      return
    }
    let secrets = Set(configuration.secrets.map(\.path))
    note(.ok, "tenants", "\(state.tenants.count); secret files: \(secrets.count)")
    if state.allowsNothing {
      note(
        .warning, "tenants",
        "no tenant accepts tokens of any provider, so no token is valid; \(Condition.allowingCure)")
    }
    for (event, text) in state.warnings { note(.warning, event, text) }
  }

  private mutating func lookAtMemory(_ source: ConfigurationSource, _ configuration: Configuration) {
    guard let nodes = attempt("replay.address", try ReplayLoading.tryOut(configuration, source)) else { return }
    for (side, node) in nodes {
      let name = (side.map { "\($0.rawValue) " } ?? "") + "node \(node.number)"
      let text = "\(name) (\(DisplayText.escaped(node.address))): \(node.state.rawValue)"
      switch node.state {
      case .uninitialised where side == .to:
        note(.warning, "replay.address", "\(text): a move begins with mediatoken replay init of the new fleet")
      case .voting, .warming, .uninitialised: note(.ok, "replay.address", text)
      case .down, .retired: note(.warning, "replay.address", "\(text): \(node.reason ?? "")")
      case .refused:
        fail(
          "replay.address",
          Problem.setting("replay.address", of: source.file, "\(text): \(node.reason ?? "it must not be asked")"))
      }
      for warning in node.warnings { note(.warning, "replay.address", "\(name): \(warning)") }
    }
    if configuration.replay.address == .none { note(.warning, "replay.address", ReplayLoading.notEnforced) }
    if nodes.isEmpty, configuration.replay.address != .none { note(.ok, "replay.address", "the table can be used") }
  }

  /// A place that a daemon has, or the service manager for it, is as good as free: it is the running one's.
  private mutating func lookAtPlace(_ place: ListeningPlace, _ file: String?) {
    do throws(ListenerError) {
      _ = try place.open()
      note(.ok, place.key, "\(DisplayText.escaped(place.text)) is free")
    } catch {
      switch error.reason {
      case .locked(let holder):
        noteServed(place, "a daemon serves it: \(holder?.description ?? "another process")")
      case .answered(let holder?) where holder.servesTheSame, .portInUse(let holder?) where holder.servesTheSame:
        noteServed(place, "it is served: \(holder)")
      case .portInUse(let holder?) where holder.process == nil && holder.user == 0:
        note(
          .warning, place.key,
          "\(DisplayText.escaped(place.text)): a process of root listens there, as systemd does for mediatokend-metrics.socket; as root ss -ltnp shows which"
        )
      case .system(let call, _) where isServed && call.description == "socket":
        // In the service's sandbox there is no network, and the running daemon has what the service manager opened.
        note(.warning, place.key, "\(error): it cannot be tried here, because the running daemon may have it")
      default:
        fail(place.key, Problem.setting(place.key, of: file, error.description))
      }
    }
  }

  private mutating func noteServed(_ place: ListeningPlace, _ text: String) {
    note(.ok, place.key, text)
    if place.key == "socket" { isServed = true }
  }

  package var text: String {
    findings.map { finding in
      let level = finding.level.rawValue
      return level + String(repeating: " ", count: 8 - level.count) + "\(finding.step): \(finding.text)\n"
    }.joined()
  }
}

extension Configuration {
  /// Each with its setting.
  fileprivate var paths: [(key: String, path: String)] {
    var paths = [("socket.path", socket.path.text)] + keys.map { ("keys", $0) }
    if case .shared(let path, _) = replay.address { paths.append(("replay.address", path.text)) }
    if let table = replay.fleet.localTable { paths.append(("replay.fleet.localTable", table.path)) }
    if let file = replay.fleet.credentialsFile { paths.append(("replay.fleet.credentials", file)) }
    if let old = replay.place.move?.fleet {
      if let table = old.localTable { paths.append(("replay.address.fleet.localTable", table.path)) }
      if let file = old.credentialsFile { paths.append(("replay.address.fleet.credentials", file)) }
    }
    return paths + secrets
  }

  fileprivate var secrets: [(key: String, path: String)] {
    let tag = viewerTag.map { [("viewerTag.key", $0.key)] } ?? []
    return tag + handovers.map { ("\($0.key).key", $0.settings.keyFile) }
  }
}
