internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenService
internal import MediaTokenSystem

/// The daemon's life: start, wait for signals, stop.
enum Program {
  /// The main thread's wait for a signal before it does its periodic work.
  private static let tickMilliseconds = 500

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    if arguments.has(DaemonCommand.initial) { return try InitCommand.run(arguments) }
    if let option = InitCommand.options.first(where: { arguments.has($0) }) {
      throw arguments.usage("\(option.usage) goes only with \(DaemonCommand.initial.usage)")
    }
    if arguments.has(DaemonCommand.development) { return try develop(arguments) }
    if let option = ofDevelopment.first(where: { arguments.has($0) }) {
      throw arguments.usage("\(option.usage) goes only with --dev, which trusts the development key alone")
    }
    guard let file = try arguments[DaemonCommand.config] else {
      throw arguments.usage("there is no configuration; give \(DaemonCommand.config.usage), or --dev to try it")
    }
    if arguments.has(DaemonCommand.checkConfig) { return try diagnose(file, as: arguments[DaemonCommand.user]) }
    guard !arguments.has(DaemonCommand.user) else {
      throw arguments.usage("\(DaemonCommand.user.usage) goes only with \(DaemonCommand.checkConfig.usage)")
    }
    return try serve(.file(file)) {}
  }

  /// The service's user, as its unit names it.
  static let serviceUser = "mediatokend"

  /// Tries the start, as the service's user where root asks: root's rights say nothing about the service, and root's
  /// files could be in its way.
  private static func diagnose(_ file: String, as name: String?) throws(Problem) -> Int32 {
    let isRoot = CurrentProcess.effectiveUserID == 0
    let usual = isRoot && Accounts.userID(ofName: serviceUser) != nil ? serviceUser : nil
    if let name = name ?? usual {
      guard let user = Accounts.userID(ofName: name), let group = Accounts.ownGroupID(ofUser: name) else {
        throw Problem(
          "the system knows no user of the name in --user TEXT",
          cure: "give the service's, which its unit has as User=")
      }
      if user != CurrentProcess.effectiveUserID {
        try rethrow(CurrentProcess.become(user: name, user, group: group)) { (error: SystemError) in
          Problem(
            "cannot become the user \(DisplayText.escaped(name)): \(error.description)", cure: "do this as root")
        }
      }
    }
    let diagnosis = Diagnosis(of: .file(file))
    let user = Accounts.userName(ofID: CurrentProcess.effectiveUserID)
    // A configuration that can't be read has nothing but its error.
    if diagnosis.findings.count > 1 { try StandardOutput.write("ok      user: \(user)\n" + diagnosis.text) }
    if let error = diagnosis.error { throw error }
    try StandardOutput.write("the daemon can start\(diagnosis.ending)\n")
    return ExitStatus.done
  }

  /// They go with `--dev` alone.
  private static let ofDevelopment: [any CommandOption] = [
    DaemonCommand.socket, DaemonCommand.inspector,
  ]

  private static func develop(_ arguments: Arguments) throws(Problem) -> Int32 {
    if arguments.has(DaemonCommand.checkConfig) {
      throw arguments.usage("--dev goes without \(DaemonCommand.checkConfig.usage); leave one of them out")
    }
    let (file, socket) = try (arguments[DaemonCommand.config], arguments[DaemonCommand.socket])
    let inspector = try arguments[DaemonCommand.inspector]
    if file != nil, let said = ofDevelopment.first(where: { arguments.has($0) }) {
      throw arguments.usage(
        "\(DaemonCommand.config.usage) and \(said.usage) are both given; the file takes the option's place")
    }
    let session =
      if let file {
        try DevelopmentMode.session(file: file)
      } else {
        try DevelopmentMode.session(socket: socket, inspector: inspector)
      }
    return try serve(.development(session)) { () throws(Problem) in try StandardOutput.write(session.help) }
  }

  private static func serve(
    _ source: ConfigurationSource, _ whenReady: () throws(Problem) -> Void
  ) throws(Problem) -> Int32 {
    var manager = ServiceManager()
    let inherited = try InheritedListeners()
    let log = try rethrow(Log(descriptor: StandardStreams.error)) { (error: SystemError) in
      Problem("cannot start: \(error.description)")
    }
    let (daemon, server): (Daemon, RunningServer)
    do throws(Problem) {
      daemon = try Daemon(source, log)
      server = try RunningServer(daemon, inherited)
    } catch {
      log.flush()
      throw error
    }
    log.say(.info, "started", "answering on \(daemon.configuration.socket.path)")
    try whenReady()
    daemon.tick()
    manager.ready(daemon.status)
    wait(daemon, &manager)
    let isDone = stop(daemon, server, manager, log)
    log.flush()
    // Handlers of exit(3) would take OpenSSL away from threads that still work.
    if !isDone { CurrentProcess.exitAtOnce(ExitStatus.done) }
    return ExitStatus.done
  }

  /// Returns when the daemon is to stop.
  private static func wait(_ daemon: Daemon, _ manager: inout ServiceManager) {
    while true {
      switch Signals.next(withinMilliseconds: tickMilliseconds) {
      case .stop: return
      case .reload:
        manager.reloading()
        daemon.reload()
        manager.ready(daemon.status)
      case nil: break
      }
      daemon.tick()
      manager.show(daemon.status)
      manager.ping()
    }
  }

  /// Finishes what was begun, unless a second signal says not to wait. True if no thread works any more.
  private static func stop(
    _ daemon: Daemon, _ server: RunningServer, _ manager: ServiceManager, _ log: Log
  ) -> Bool {
    manager.stopping()
    daemon.beginDraining()
    let limit = daemon.configuration.deadlines.drainMilliseconds
    log.say(.info, "stopping", "finishing requests for at most \(limit) ms")
    server.stop(withinMilliseconds: limit) { cut in
      log.say(cut == 0 ? .info : .warning, "stopped", "\(cut) connections were cut")
    }
    var milliseconds = 0
    while !server.hasStopped {
      if Signals.next(withinMilliseconds: 20) == .stop {
        log.say(.warning, "stopped", "a second signal: not waiting for what has begun")
        return false
      }
      milliseconds += 20
      if milliseconds % tickMilliseconds == 0 {
        daemon.tick()
        manager.ping()
      }
    }
    daemon.end()
    return true
  }
}
