internal import MediaTokenSystem

/// The reply to a batch: the node's clock, and an answer to each claim.
struct ClaimsReply {
  /// Seconds since the epoch.
  let time: Int64
  let answers: [NodeAnswer]

  /// Nil unless it is the reply to `count` claims.
  init?(_ reply: Reply, count: Int) {
    let elements = reply.elements
    guard reply.kind == .list, elements.count == count + 1, let time = elements.first, time.kind == .integer,
      FleetClock.seconds.contains(time.number)
    else { return nil }
    self.time = time.number
    var answers: [NodeAnswer] = []
    answers.reserveCapacity(count)
    for element in elements.dropFirst() {
      guard let answer = Self.answer(element, in: reply) else { return nil }
      answers.append(answer)
    }
    self.answers = answers
  }

  private static func answer(_ value: Reply.Value, in reply: Reply) -> NodeAnswer? {
    switch value.kind {
    case .integer: return value.number == 1 ? .new : nil
    case .bytes:
      let text = reply[value]
      if let ballot = Ballot(bytes: text) { return .present(ballot) }
      if text.isExactly("F") { return .forgotten }
      return text.isExactly("A") ? .ahead : nil
    default: return nil
    }
  }
}
