internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replayRetire = Command(
    words: ["replay", "retire"],
    summary: "Have a fleet that hosts have left refuse them.",
    options: [ReplayRetireCommand.config, ReplayRetireCommand.yes, QueryCommand.timeout],
    notes: [
      """
      While a fleet moves, each host asks the old fleet and the new one. After this a host with the old one alone is refused, and says \
      why; the others hear it within ten seconds and ask the new one alone: then the old nodes can end. Nothing takes it back.
      """,
      """
      No store knows which hosts ask it. With --yes you vouch that every host has had both fleets for the time that is shown \
      without it: what a host with the old fleet alone let play before would play again.
      """,
      """
      Hosts may not tell a database that. It prints SQL to be run by a role that is a member of mediatoken_owner, and \
      mediatoken replay nodes shows that it was.
      """,
      .exitStatus("0 if enough nodes to decide are retired, or the SQL is printed, else 3."),
      .example("mediatoken replay retire --config /etc/mediatoken/mediatokend.json --yes"),
    ],
    run: ReplayRetireCommand.run)
}

enum ReplayRetireCommand {
  static let config = Option("config", .text(.file), "both fleets: the configuration of a daemon that moves")
  static let yes = Flag("yes", "do it: you vouch that no host has the old fleet alone")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    guard try arguments[config] != nil, case .joint(let old, let new, let until) = try FleetCommands.plan(arguments)
    else { throw arguments.usage("there is no fleet that hosts leave; give \(config.usage)") }
    let seconds = try ReplayTableOptions.memory(FleetPlan.checkEnd(old, new, until: until, at: .now))
    let (found, next) = (try text(old, arguments), try text(new, arguments))
    guard found.initialised + found.retired >= found.fleet.votesNeeded, next.isUsable else {
      throw Problem(
        "too few nodes of the \(next.isUsable ? "old" : "new") fleet can be asked, and nothing is done",
        cure: "run mediatoken replay nodes to see which and why")
    }
    guard arguments.has(yes) else {
      try StandardOutput.write(found.text)
      throw Problem(
        "no node knows which hosts ask it, and what one with the old fleet alone let play would play again",
        cure: "see that every host has had both fleets for \(seconds) s, and give --yes")
    }
    let sql = try FleetCommands.administration(old, arguments).retire()
    let told = try text(old, arguments)
    try StandardOutput.write(sql ?? told.text)
    return sql != nil || told.isRetired ? ExitStatus.done : ExitStatus.undecided
  }

  private static func text(_ options: FleetOptions, _ arguments: Arguments) throws(Problem) -> FleetText {
    let administration = try FleetCommands.administration(options, arguments)
    return FleetText(fleet: options.address, digest: administration.digest, nodes: administration.describe())
  }
}
