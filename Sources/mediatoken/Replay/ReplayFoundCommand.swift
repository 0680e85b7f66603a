internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let replayFound = Command(
    words: ["replay", "found"],
    summary: "Assign every seat of a fleet its place now, and show when it starts to vote.",
    options: [FleetCommands.replay, FleetOption.credentials, FleetOption.grace, ReplayFoundCommand.fresh]
      + PolicyTimes.all
      + [QueryCommand.timeout],
    notes: [
      """
      Hosts do this by themselves. It shows at once whether all seats are there and of this fleet, and begins the \
      minute in which a new fleet refuses every token: a seat votes for no token that was issued before its from, \
      which is the future tolerance and twelve seconds from now.
      """,
      """
      With --fresh all tokens are accepted at once. You vouch that no token that may still be alive was used \
      before. Any that was is accepted once more. Nothing is made if a seat has a place already, or is away.
      """,
      """
      A database is void as a seat when no host has attended it for the grace: start a host before the second that is \
      shown, or the next one begins with a minute in which older tokens are refused, also after --fresh.
      """,
      "To change seats, their order or the times: stop all hosts, found a fleet with a new name, start them.",
      .exitStatus("0 if every seat is of this fleet and has its place, else 3."),
      .example("mediatoken replay found --replay redis:prod@a:6379,b:6379,c:6379"),
    ],
    run: ReplayFoundCommand.run)
}

enum ReplayFoundCommand {
  static let fresh = Flag("fresh", "accept tokens issued before now: you vouch that none was used")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let administration = try FleetCommands.administration(arguments)
    let seats = administration.found(fresh: arguments.has(fresh))
    let text = FleetText(fleet: administration.address, digest: administration.digest, seats: seats)
    var lines = ""
    for seat in seats {
      lines += VerdictText.line("seat \(seat.number)", "\(seat.address), \(place(of: seat))")
    }
    let unfounded = seats.count { !$0.isFounded }
    try StandardOutput.write(
      lines + VerdictText.line("fleet", text.fleet.name) + VerdictText.line("digest", text.digest)
        + (unfounded == 0
          ? "next: --replay " + DisplayText.shellWord(Array(text.fleet.description.utf8)) + "\n"
          : "note: \(unfounded) of \(seats.count) seats are not ready; repair them and run this again\n"))
    return unfounded == 0 ? ExitStatus.done : ExitStatus.undecided
  }

  private static func place(of seat: SeatDescription) -> String {
    if let reason = seat.reason { return "\(seat.state.rawValue): \(reason)" }
    guard let from = seat.from else { return seat.state.rawValue }
    return (from <= 0 ? "from: all tokens" : "from: \(FleetText.moment(from))")
      + (seat.lastsUntil.map { ", void after \(FleetText.moment($0)) if no host attends it until then" } ?? "")
  }
}

extension SeatDescription {
  /// True if the seat has the place in the fleet that was asked for.
  var isFounded: Bool { (state == .voting || state == .young) && reason == nil }
}
