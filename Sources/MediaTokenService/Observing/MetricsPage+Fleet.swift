internal import MediaToken

/// The figures of a fleet's seats, each by its number in the address; only if the replay memory is a fleet.
extension MetricsPage {
  mutating func write(_ fleet: FleetReading) {
    gauge("mediatoken_fleet_seats", UInt64(fleet.seats.count), "Seats that the fleet's address names.")
    gauge(
      "mediatoken_fleet_votes_needed", UInt64(fleet.votesNeeded), "How many seats must agree on a first use.")
    writeStates(fleet.seats)
    writeTimes(fleet.seats)
    writeCounts(fleet.seats)
    histogram(
      "mediatoken_fleet_ask_duration_seconds",
      "How long a claim took from its sending until it was decided, or until its deadline.",
      fleet.askCounts, FleetReading.askBoundsSeconds, sum: "\(fleet.askSeconds)")
    if let grace = fleet.graceSeconds, let seat = fleet.seats.first { writeDatabase(seat, grace: grace) }
    gauge(
      "mediatoken_fleet_undecided_claims", UInt64(max(0, fleet.undecidedClaims)),
      "Tokens that wait for votes, or came to no verdict and may be tried again here.")
  }

  private mutating func writeStates(_ seats: [SeatReading]) {
    let name = "mediatoken_fleet_seat_state"
    family(name, .gauge, "1 for the state that the seat is in, as this process sees it; 0 for all others.")
    for seat in seats {
      for state in SeatState.allCases {
        sample(name, [("seat", "\(seat.number)"), ("state", state.rawValue)], state == seat.state ? 1 : 0)
      }
    }
    perSeat(
      "mediatoken_fleet_seat_refuses_writes", .gauge, "1 if the seat answers and takes no writes: it is down.",
      seats
    ) { $0.refusesWrites ? 1 : 0 }
  }

  /// A seat that was never connected to has none.
  private mutating func writeTimes(_ seats: [SeatReading]) {
    perSeat(
      "mediatoken_fleet_seat_vouches_from_seconds", .gauge,
      "The seat votes for tokens that are issued from then on, in seconds since 1970.", seats, \.vouchesFrom)
    perSeat(
      "mediatoken_fleet_seat_clock_offset_seconds", .gauge,
      "How far the seat's clock was ahead of ours at the last handshake.", seats, \.clockOffsetSeconds)
  }

  private mutating func writeCounts(_ seats: [SeatReading]) {
    perSeat(
      "mediatoken_fleet_births_total", .counter,
      "How often the seat was new, or had lost what it knew, and this process saw it begin.", seats
    ) { $0.births }
    perSeat(
      "mediatoken_fleet_clock_set_back_total", .counter,
      "How often the seat's clock was more than a minute behind what it had shown before.", seats
    ) { $0.clockSetBacks }
    perSeat(
      "mediatoken_fleet_reconnects_total", .counter,
      "How often a connection to the seat was lost, or could not be made.", seats
    ) { $0.reconnects }
    let replies = "mediatoken_fleet_replies_total"
    family(replies, .counter, "What the seat said to claims.")
    for seat in seats {
      for kind in SeatReplyKind.allCases {
        sample(
          replies, [("seat", "\(seat.number)"), ("reply", kind.rawValue)], seat.replies[kind] ?? 0)
      }
    }
  }

  /// A database is the only seat.
  private mutating func writeDatabase(_ seat: SeatReading, grace: Int64) {
    gauge(
      "mediatoken_fleet_grace_seconds", UInt64(grace),
      "After how long without a host the database's data count as a copy, and begin again.")
    let info = "mediatoken_fleet_seat_database_info"
    family(info, .gauge, "1 for the database that is the seat: its fleet, its cluster, and its number in that.")
    if let database = seat.database {
      sample(
        info,
        [
          ("seat", "\(seat.number)"), ("fleet", database.fleet), ("cluster", database.cluster ?? ""),
          ("database", database.database),
        ], 1)
    }
    perSeat("mediatoken_fleet_seat_timeline", .gauge, "The timeline of the database's data.", [seat], \.timeline)
    perSeat(
      "mediatoken_fleet_seat_attended_seconds", .gauge,
      "For how long no host has attended the database, as far as this process knows.", [seat], \.attendedSeconds)
    let batches = "mediatoken_fleet_batches_total"
    family(batches, .counter, "How many batches of claims the database was sent, and how they ended.")
    for result in ClaimBatchResult.allCases {
      sample(batches, [("result", result.rawValue)], seat.batches.results[result] ?? 0)
    }
    histogram(
      "mediatoken_fleet_claims_per_batch", "How many claims a batch had.",
      seat.batches.counts, BatchReading.bounds, sum: "\(seat.batches.claims)")
  }

  /// A seat without a value has no line.
  private mutating func perSeat<Value>(
    _ name: String, _ kind: FamilyType, _ help: String, _ seats: [SeatReading], _ value: (SeatReading) -> Value?
  ) {
    family(name, kind, help)
    for seat in seats {
      if let value = value(seat) { line(name, [("seat", "\(seat.number)")], "\(value)") }
    }
  }
}
