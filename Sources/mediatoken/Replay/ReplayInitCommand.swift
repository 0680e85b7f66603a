internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replayInit = Command(
    words: ["replay", "init"],
    summary: "Assign every node of a fleet its place now, and show when it starts to vote.",
    options: [FleetCommands.replay, FleetCommands.config, ReplayInitCommand.fresh, QueryCommand.timeout],
    notes: [
      """
      Hosts do this by themselves. It shows at once whether all nodes are there and of this fleet, and begins the \
      minute in which a new fleet refuses every token: a node votes for no token that was issued before its from, \
      which is the future tolerance and twelve seconds from now.
      """,
      """
      With --fresh all tokens are accepted at once. You vouch that no token that may still be alive was used \
      before. Any that was is accepted once more. Nothing is made if a node has a place already, or is away.
      """,
      """
      A database is void as a node when no host has maintained it for the grace: start a host before the second that is \
      shown, or the next one begins with a minute in which older tokens are refused, also after --fresh.
      """,
      "Other nodes, another order and other times are another fleet, with a new name: mediatokend moves to it by a reload.",
      .exitStatus("0 if every node is of this fleet and has its place, else 3."),
      .example("mediatoken replay init --replay redis:prod@a:6379,b:6379,c:6379"),
    ],
    run: ReplayInitCommand.run)
}

enum ReplayInitCommand {
  static let fresh = Flag("fresh", "accept tokens issued before now: you vouch that none was used")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let administration = try FleetCommands.administration(FleetCommands.plan(arguments).last, arguments)
    let nodes = administration.initialise(fresh: arguments.has(fresh))
    let text = FleetText(fleet: administration.address, digest: administration.digest, nodes: nodes)
    var lines = ""
    for node in nodes {
      lines += VerdictText.line("node \(node.number)", "\(node.address), \(place(of: node))")
    }
    let uninitialised = nodes.count { !$0.isInitialised }
    try StandardOutput.write(
      lines + VerdictText.line("fleet", text.fleet.name) + VerdictText.line("digest", text.digest)
        + (uninitialised == 0
          ? "next: --replay " + DisplayText.shellWord(Array(text.fleet.description.utf8)) + "\n"
          : "note: \(uninitialised) of \(nodes.count) nodes are not ready; repair them and run this again\n"))
    return uninitialised == 0 ? ExitStatus.done : ExitStatus.undecided
  }

  private static func place(of node: NodeDescription) -> String {
    if let reason = node.reason { return "\(node.state.rawValue): \(reason)" }
    guard let from = node.from else { return node.state.rawValue }
    return (from <= 0 ? "from: all tokens" : "from: \(FleetText.moment(from))")
      + (node.lastsUntil.map { ", void after \(FleetText.moment($0)) if no host maintains it until then" } ?? "")
  }
}

extension NodeDescription {
  /// True if the node has the place in the fleet that was asked for.
  var isInitialised: Bool { (state == .voting || state == .warming) && reason == nil }
}
