internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replaySchema = Command(
    words: ["replay", "schema"],
    summary: "Print the SQL that makes a PostgreSQL database the node of a fleet.",
    options: [FleetCommands.replay, FleetCommands.config, ReplaySchemaCommand.unlogged],
    notes: [
      """
      Run what it prints once, as a role that may create schemas and roles: it makes a schema, its functions, and the \
      role mediatoken, as which hosts log in and which may call four functions and nothing else. Give that role a \
      password, or let pg_hba.conf say who it is. Nothing is connected to here.
      """,
      """
      Give the configuration of a host if it does not have the usual times: other times are another fleet. To change them, \
      make a fleet with a new name, and drop the former schema when its tokens have ended.
      """,
      """
      With --unlogged the tables are not in the write-ahead log, which costs the server less. PostgreSQL then empties \
      them after a crash and a promotion, and hosts refuse tokens for about a minute.
      """,
      .example("mediatoken replay schema --replay postgres:prod@db.example/tokens | psql -d tokens"),
    ],
    run: ReplaySchemaCommand.run)
}

enum ReplaySchemaCommand {
  static let unlogged = Flag("unlogged", "make tables that a crash of the server empties, and that cost less")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let options = try FleetCommands.plan(arguments).last
    guard case .postgres = options.address else {
      throw arguments.usage("only a fleet on PostgreSQL has a schema; give \(FleetAddress.databaseForm)")
    }
    let (times, digest) = try ReplayTableOptions.memory((options.times(), options.digest()))
    try StandardOutput.write(
      NodeSchema.text(fleet: options.address.name, times, digest, isUnlogged: arguments.has(unlogged)))
    return ExitStatus.done
  }
}
