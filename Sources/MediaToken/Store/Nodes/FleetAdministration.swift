internal import MediaTokenSystem

/// An operator's work on a fleet: to look at its nodes, and to initialise it. Each call asks all nodes at once and waits for
/// them, until its timeout ends.
package struct FleetAdministration: Sendable {
  package let address: FleetAddress
  /// The digest of what all hosts of the fleet have in common, in 16 hexadecimal digits.
  package let digest: String
  private let engine: any NodeAdministration

  /// The longest wait for nodes.
  package var timeoutMilliseconds = 5000

  /// An error if the credentials can't be read, or OpenSSL fails.
  package init(_ options: FleetOptions) throws(Problem) {
    let digest = try options.digest()
    self.init(
      options.address, digest, try options.makeEngine(FleetClock(), Monitor(try options.readCredentials())))
  }

  init(_ address: FleetAddress, _ digest: FleetDigest, _ engine: any NodeAdministration) {
    (self.address, self.digest, self.engine) = (address, digest.description, engine)
  }

  package func describe() -> [NodeDescription] {
    descriptions { (engine, node, timeout) throws(NodeError) in try engine.describe(node, within: timeout) }
  }

  /// Gives every node an epoch that has none, and describes all nodes then. `isFresh`: the operator vouches that no token
  /// was ever used. Then nothing is made if a node does not answer or has an epoch, of whatever time, and the reason of
  /// that node says so.
  package func initialise(fresh isFresh: Bool) -> [NodeDescription] {
    var found = describe()
    // One process for two nodes, or another fleet's node: initialisation would make it worse.
    guard !found.contains(where: { [.refused, .retired].contains($0.state) && !$0.isOnlyOff }) else { return found }
    if isFresh, found.contains(where: { $0.hasEpoch || $0.state == .down }) {
      for index in found.indices where found[index].hasEpoch {
        found[index].reason = NodeDescription.hasEpochReason
      }
      return found
    }
    let owners = found.map { isFresh ? $0.owner ?? "unknown" : nil }
    return descriptions { (engine, node, timeout) throws(NodeError) in
      try engine.initialise(node, freshOwner: owners[node.number - 1], within: timeout)
    }
  }

  /// Has every node that answers refuse all hosts from now on. The SQL to be run instead, if the node is a database; else nil.
  package func retire() -> String? {
    ask { (engine, node, timeout) throws(NodeError) in
      try engine.retire(node, within: timeout)
    } failing: { _, _ in
      nil
    }.compactMap(\.self).first
  }

  /// The nodes' knowledge of a token, without a claim.
  package func peek(at identity: TokenIdentity, issueTime: Instant) -> [NodePeek] {
    // The ballot is not sent.
    let claim = ClaimBatch.Claim(identity, issueTime: issueTime, ballot: Ballot(Ballot.ID(0, 0), second: 0))
    return ask { (engine, node, timeout) throws(NodeError) in
      let answer = try engine.peek(at: claim, on: node, within: timeout)
      let reason = answer == nil ? "it has no epoch yet" : nil
      return NodePeek(number: node.number, address: node.address, answer: answer, reason: reason)
    } failing: { node, error in
      var peek = NodePeek(number: node.number, address: node.address, answer: nil, reason: error.description)
      if case .refused(.retired) = error { peek.isRetired = true }
      return peek
    }
  }

  private typealias Question<Answer> =
    @Sendable (any NodeAdministration, NodePlace, Timeout) throws(NodeError) -> Answer

  /// Asks all nodes at once, each on a thread of its own. `failure` is the answer for a node of which nothing is learnt.
  private func ask<Answer: Sendable>(
    _ question: @escaping Question<Answer>, failing failure: @escaping @Sendable (NodePlace, NodeError) -> Answer
  ) -> [Answer] {
    let timeout = Timeout(milliseconds: timeoutMilliseconds)
    let places = address.nodes.enumerated().map { NodePlace(number: $0.offset + 1, address: $0.element) }
    let answers = Monitor<[Int: Answer]>([:])
    for place in places {
      WorkerThread.runDetached {
        let answer: Answer
        do throws(NodeError) {
          answer = try question(engine, place, timeout)
        } catch {
          answer = failure(place, error)
        }
        answers.change { $0[place.number] = answer }
      }
    }
    // Questions have deadlines of their own.
    answers.wait(atMostMilliseconds: timeout.left + 1000) { $0.count == places.count }
    let all = answers.current
    return places.map { all[$0.number] ?? failure($0, .late(milliseconds: timeout.milliseconds)) }
  }

  /// Two nodes that are one process are refused, as on a host.
  private func descriptions(_ question: @escaping Question<NodeDescription>) -> [NodeDescription] {
    var nodes = ask(question, failing: NodeDescription.init)
    for index in nodes.indices {
      guard let process = nodes[index].process,
        let twin = nodes[..<index].first(where: { $0.process == process })
      else { continue }
      (nodes[index].state, nodes[index].isOnlyOff) = (.refused, false)
      nodes[index].reason = NodeRefusal.sameProcess(asNode: twin.number).description
    }
    return nodes
  }
}
