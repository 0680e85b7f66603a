internal import MediaToken

extension Log {
  func write(_ news: NodeNews) {
    let (level, event, message): (Level, String, String) =
      switch news.event {
      case .lost: (.warning, "node-lost", "it does not answer; the others are asked meanwhile")
      case .nameless:
        (.warning, "node-name", "no address is found for its name; check the name, and this host's name servers")
      case .back: (.info, "node-back", "it answers again")
      case .started:
        (
          .warning, "node-started",
          "it is new, or has lost what it knew: it votes for tokens that are issued from then on"
        )
      case .clockSetBack(let seconds):
        (
          .warning, "node-clock",
          "its clock shows \(seconds) s less than before, which no longer counts for its floor; if the time of before was right, restart no node until clocks are set"
        )
      case .refused(let why): (.error, "node-refused", why)
      case .identified: (.info, "node-database", "all hosts of the fleet must have this database of this cluster")
      }
    write(level, event) { writer in
      writer.member("node", Int64(news.node))
      writer.member("address", news.address)
      if let side = news.side { writer.member("moving", side.rawValue) }
      if case .started(let second) = news.event {
        writer.member("from", Instant(millisecondsSinceEpoch: second * 1000).description)
      }
      if case .identified(let database) = news.event {
        writer.member("cluster", database.cluster ?? "")
        writer.member("database", database.database)
      }
      writer.member("message", message)
    }
  }
}
