internal import MediaToken

extension Log {
  /// One line about a seat of a fleet.
  func write(_ news: SeatNews) {
    let (level, event): (Level, String) =
      switch news.event {
      case .lost: (.warning, "seat-lost")
      case .nameless: (.warning, "seat-name")
      case .back: (.info, "seat-back")
      case .born: (.warning, "seat-born")
      case .refused: (.error, "seat-refused")
      }
    write(level, event) { writer in
      writer.member("seat", Int64(news.seat))
      writer.member("address", news.address)
      switch news.event {
      case .lost: writer.member("message", "it does not answer; the others are asked meanwhile")
      case .nameless:
        writer.member(
          "message", "no address is found for its name; check the name, and this host's name servers")
      case .back: writer.member("message", "it answers again")
      case .born(let second):
        writer.member("from", Instant(millisecondsSinceEpoch: second * 1000).description)
        writer.member(
          "message", "it is new, or has lost what it knew: it votes for tokens that are issued from then on")
      case .refused(let why): writer.member("message", why)
      }
    }
  }
}
