internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

extension RouteRule {
  /// What every path below the prefix begins with.
  fileprivate var folder: String { prefix == "/" ? "/" : prefix.text + "/" }
}

extension Configuration {
  /// What must be true of several sections.
  func checkTogether(_ file: Given) throws(Problem) {
    var served: [ExactText: TenantSettings] = [:]
    for (index, tenant) in tenants.enumerated() where served.updateValue(tenant, forKey: tenant.requestor) != nil {
      throw file.error(at: "tenants[\(index)].requestor", "this requestor is given twice")
    }
    if let auth { try checkRoutes(of: auth, served, file) }
    try checkHandovers(file)
    try checkInspector(file)
    let (wait, limit) = (Int64(replay.deadlineMilliseconds), deadlines.requestMilliseconds)
    guard !replay.isFleet || wait < limit else {
      throw file.error(
        at: "deadlines.requestMilliseconds",
        "expected more than \(wait), for which a request waits for \(replay.place.move == nil ? "nodes (replay.fleet.deadlineMilliseconds)" : "the nodes of both fleets (the sum of both deadlineMilliseconds)"), found \(limit)"
      )
    }
    guard replay.retryWindowMilliseconds == 0 || requestIDHeader != nil else {
      throw file.error(
        at: "replay.retryWindowMilliseconds",
        "a retry window needs requestIDHeader: without it no caller can repeat a request")
    }
  }

  /// A route that can never be decided would refuse every viewer, so it is an error at the start.
  private func checkRoutes(
    of auth: AuthSettings, _ served: [ExactText: TenantSettings], _ file: Given
  ) throws(Problem) {
    var prefixes: Set<ExactText> = []
    for (index, rule) in auth.routes.enumerated() {
      guard prefixes.insert(rule.prefix).inserted else {
        throw file.error(at: "auth.routes[\(index)].prefix", "this prefix is given twice")
      }
      if case .protected(let requestor?, _) = rule.access, served[requestor] == nil {
        throw file.error(at: "auth.routes[\(index)].requestor", "no tenant has this requestor")
      }
    }
    let everywhere = [RouteRule.Access.protected(requestor: nil, resource: nil)]
    for access in auth.routes.isEmpty ? everywhere : auth.routes.map(\.access) {
      if let problem = whatLeavesOpen(access, auth, served) { throw file.error(at: "auth.routes", problem) }
    }
    try checkPaths(of: auth.routes, file)
  }

  /// No hand-over's path opens anything that a different token is for: about what a credential opens the daemon is not asked. Letters
  /// of either case are the same, as they are to some servers of files.
  private func checkPaths(of routes: [RouteRule], _ file: Given) throws(Problem) {
    let places = routes.map { (Array($0.folder.lowercased().utf8), $0) }
    for (index, route) in routes.enumerated() {
      guard let path = route.handover.map({ Array($0.path.lowercased().utf8) }) else { continue }
      let covering = places.filter { path.starts(with: $0.0) }.max { $0.0.count < $1.0.count }
      let opened = places.filter { $0.0.starts(with: path) } + (covering.map { [$0] } ?? [])
      guard let other = opened.first(where: { $0.1.access != .unprotected && $0.1.access != route.access }) else {
        continue
      }
      throw file.error(
        at: "auth.routes[\(index)].handover.path",
        "it also opens \(other.1.prefix), which needs a different token",
        cure: "give each of them a folder of its own")
    }
  }

  /// Why a route can't be decided, or nil if it can.
  private func whatLeavesOpen(
    _ access: RouteRule.Access, _ auth: AuthSettings, _ served: [ExactText: TenantSettings]
  ) -> String? {
    guard case .protected(let requestor, let resource) = access else { return nil }
    guard requestor != nil || auth.requestorHeader != nil || tenants.count == 1 else {
      return
        "a route has no requestor, and there are several tenants; write one in every route, or requestorHeader"
    }
    let candidates = requestor.map { name in served[name].map { [$0] } ?? [] } ?? tenants
    if let resource {
      return candidates.contains { $0.resources.have(resource) }
        ? nil : "a route's resource is not among the tenant's resources"
    }
    return auth.resourceHeader != nil || candidates.allSatisfy(\.resources.isOne)
      ? nil
      : "a route has no resource, and its tenant does not have just one; write one in every route, or resourceHeader"
  }

  /// An impossible hand-over is an error at the start, and so is a key with two purposes: a party that may check one could make
  /// the other.
  private func checkHandovers(_ file: Given) throws(Problem) {
    var formats: [ExactText: HandoverFormat] = [:]
    for (place, handover) in handovers {
      guard auth?.observe != true || !place.hasPrefix("auth.") else {
        throw file.error(
          at: place,
          "auth.observe lets everything through, and nothing is handed over then",
          cure: "leave this out until it is false")
      }
      guard replay.address != .none else {
        throw file.error(
          at: place,
          "replay.address enforces nothing (none:), and a token that can be used again is not exchanged",
          cure: "leave this out, or name a replay memory there"
        )
      }
      let key = ExactText(handover.keyFile)
      guard formats.updateValue(handover.format, forKey: key) ?? handover.format == handover.format else {
        throw file.error(at: "\(place).key", "another format has this key", cure: "make one for each format")
      }
      guard viewerTag.map({ ExactText($0.key) }) != key else {
        throw file.error(at: "\(place).key", "viewerTag.key is this key, too", cure: "make one for each")
      }
    }
  }

  /// The inspector has a listener of its own, so that nothing of it is ever at the others.
  private func checkInspector(_ file: Given) throws(Problem) {
    let problem: String? =
      switch inspector?.place {
      case .socket(socket.path): "this is the path of socket too; choose another"
      case .loopback(let host, let port):
        tcp.map { $0.port == port && ($0.address == "::1") == (host == "[::1]") } ?? false
          ? "this is the port of tcp too; choose another" : nil
      case .socket:
        sharesGroup
          ? "its group may also connect to socket.path, where tokens are used up; give it a group of its own, or the mode 0600"
          : nil
      case nil: nil
      }
    if let problem { throw file.error(at: "inspector", problem) }
  }

  /// Whether one group may connect to the inspector's socket and to the one where tokens are used up.
  private var sharesGroup: Bool {
    let (own, groupBits) = (CurrentProcess.effectiveGroupID, UInt32(0o020))
    guard let inspector, inspector.mode & groupBits != 0, socket.mode & groupBits != 0 else { return false }
    return inspector.group ?? own == socket.group ?? own
  }
}
