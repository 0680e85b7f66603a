internal import MediaToken
internal import MediaTokenFormats

/// The seats of a fleet, for people and as JSON.
struct FleetText {
  let fleet: FleetAddress
  let digest: String
  let seats: [SeatDescription]

  /// Seats that vote, or will once their floor has passed.
  var seated: Int { seats.count { $0.state == .voting || $0.state == .young } }

  var isUsable: Bool { seated >= fleet.votesNeeded }

  var text: String {
    var text = ""
    for seat in seats { text += block(seat) }
    return text + VerdictText.line("fleet", fleet.name) + VerdictText.line("digest", digest)
      + VerdictText.line("seats", "\(seats.count)") + VerdictText.line("votes", "\(fleet.votesNeeded)")
      + VerdictText.line("verdict", verdict)
  }

  /// For the whole fleet.
  private var verdict: String {
    let voting = seats.count { $0.state == .voting }
    guard isUsable else {
      return
        "unusable: \(seated) of \(seats.count) seats vote, and \(fleet.votesNeeded) are needed; every token is a"
        + " fault"
    }
    guard voting >= fleet.votesNeeded else {
      return "usable, but young: tokens are refused that were issued before the seats vouch for them"
    }
    guard voting < seats.count else { return "usable: every seat votes" }
    func others(_ count: Int, _ what: String) -> String {
      count == 0 ? "" : ", \(count) \(count == 1 ? "is" : "are") \(what)"
    }
    return "usable: \(voting) of \(seats.count) seats vote" + others(seated - voting, "young")
      + others(seats.count - seated, "missing")
  }

  private func block(_ seat: SeatDescription) -> String {
    var text = "seat \(seat.number): \(seat.state.rawValue)\n"
    func line(_ name: String, _ value: String?) {
      if let value { text += "  " + VerdictText.line(name, value) }
    }
    line("address", seat.address)
    line("reason", seat.reason)
    line("from", seat.from.map(Self.moment))
    line("high", seat.high.map(Self.moment))
    line("seen", seat.seen.map(Self.moment))
    line("clockOffset", seat.clockOffsetMilliseconds.map { "\($0) ms" })
    line("roundTrip", seat.roundTripMicroseconds.map { "\($0) us" })
    line("usedMemory", seat.usedMemoryBytes.map { "\($0) bytes" })
    line("policy", seat.policy)
    line("version", seat.version)
    if let database = seat.database {
      line("cluster", database.cluster ?? "not visible to this role")
      line("database", database.database)
    }
    // A version is known of each that answered.
    if fleet.hasGrace, seat.version != nil {
      line("syncStandbys", seat.syncStandbys.map { "\($0)" } ?? "not visible to this role")
    }
    for warning in seat.warnings { line("warning", warning) }
    return text
  }

  /// A second since the epoch, and the same for people.
  static func moment(_ second: Int64) -> String {
    second <= 0 ? "\(second)" : "\(second) (\(Instant(millisecondsSinceEpoch: second * 1000)))"
  }

  var json: String {
    OutputOptions.line { writer in
      writer.member("fleet", fleet.name)
      writer.member("digest", digest)
      writer.member("votes", Int64(fleet.votesNeeded))
      writer.member("seats", objects: seats, Self.members)
    }
  }

  /// Every member is always there; unknown values are null.
  private static func members(_ seat: SeatDescription, _ writer: inout JSONWriter) {
    writer.member("seat", Int64(seat.number))
    writer.member("address", seat.address)
    writer.member("state", seat.state.rawValue)
    writer.member("reason", orNull: seat.reason)
    writer.member("from", orNull: seat.from)
    writer.member("high", orNull: seat.high)
    writer.member("seen", orNull: seat.seen)
    writer.member("clockOffsetMilliseconds", orNull: seat.clockOffsetMilliseconds)
    writer.member("roundTripMicroseconds", orNull: seat.roundTripMicroseconds)
    writer.member("usedMemoryBytes", orNull: seat.usedMemoryBytes)
    writer.member("version", orNull: seat.version)
    writer.member("cluster", orNull: seat.database?.cluster)
    writer.member("database", orNull: seat.database?.database)
    writer.member("syncStandbys", orNull: seat.syncStandbys)
    writer.member("warnings", seat.warnings)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, orNull text: String?) {
    if let text { return member(name, text) }
    self.name(name)
    null()
  }

  fileprivate mutating func member(_ name: StaticString, orNull number: Int64?) {
    if let number { return member(name, number) }
    self.name(name)
    null()
  }
}
