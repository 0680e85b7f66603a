internal import MediaToken
internal import MediaTokenCommandLine

extension Command {
  static let replayNodes = Command(
    words: ["replay", "nodes"],
    summary: "Show the nodes of a fleet: who votes, since when, and what is wrong.",
    options: [FleetCommands.replay, FleetCommands.config, QueryCommand.timeout, OutputOptions.json],
    notes: [
      """
      Changes nothing. A node is voting; warming, until the moment in from has passed, before which it vouches for \
      no token; uninitialised, until a host or mediatoken replay init asks for its vote; down; refused, with the reason; \
      or retired, as hosts have left its fleet for another one.
      """,
      "Give the configuration of a host if it does not have the usual times: other times are another fleet.",
      "Of a configuration with two fleets both are shown, the old one first.",
      .exitStatus("0 if enough nodes are voting or warming, else 3."),
      .example("mediatoken replay nodes --config /etc/mediatoken/mediatokend.json"),
    ],
    run: ReplayNodesCommand.run)
}

enum ReplayNodesCommand {
  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    var isUsable = true
    for (side, options) in try FleetCommands.plan(arguments).fleets {
      let administration = try FleetCommands.administration(options, arguments)
      let text = FleetText(
        side: side, fleet: administration.address, digest: administration.digest, nodes: administration.describe())
      try StandardOutput.write(arguments.has(OutputOptions.json) ? text.json : text.text)
      isUsable = isUsable && (text.isUsable || text.isRetired && side == .from)
    }
    return isUsable ? ExitStatus.done : ExitStatus.undecided
  }
}
