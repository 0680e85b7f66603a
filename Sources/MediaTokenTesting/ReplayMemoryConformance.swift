public import MediaToken
internal import MediaTokenSystem

/// Tries whether a replay memory of an application's own keeps the rules of ``/MediaToken/AsyncReplayMemory``.
///
/// ```swift
/// let conformance = ReplayMemoryConformance(memory) { await store.cut() } reconnect: { await store.join() } lose: { await store.restart() }
/// #expect(await conformance.violations() == [])
/// ```
public struct ReplayMemoryConformance: Sendable {
  private let memory: any AsyncReplayMemory
  private let disconnect, reconnect, lose: (@Sendable () async -> Void)?

  /// The number of tokens that each rule is tried with, and of tasks that claim each of them at the same time.
  private static let (tokens, tasks) = (50, 16)

  /// - Parameters:
  ///   - memory: the memory that is tried. It gets about 2,000 claims to tokens that no one has.
  ///   - disconnect: cuts the memory off from what it stores in; nil: this is not tried.
  ///   - reconnect: ends that.
  ///   - lose: makes it lose what it knows, as a restart without its disk would; nil: this is not tried.
  public init(
    _ memory: some AsyncReplayMemory, disconnect: (@Sendable () async -> Void)? = nil,
    reconnect: (@Sendable () async -> Void)? = nil, lose: (@Sendable () async -> Void)? = nil
  ) {
    (self.memory, self.disconnect, self.reconnect, self.lose) = (memory, disconnect, reconnect, lose)
  }

  /// A sentence for each rule that was broken; empty if it keeps them.
  public func violations() async -> [String] {
    var found: [String] = []
    found += await atOnce(cancelling: false)
    found += await atOnce(cancelling: true)
    found += await inTurn()
    if let disconnect, let reconnect { found += await cutOff(disconnect, reconnect) }
    if let lose { found += await afterLoss(lose) }
    return found
  }

  // MARK: the rules

  private func atOnce(cancelling: Bool) async -> [String] {
    let when = cancelling ? "while its tasks were cancelled" : "at the same time"
    for _ in 0..<Self.tokens {
      let claim = Self.claim()
      let answers = await withTaskGroup(of: Answered.self) { group in
        for _ in 0..<Self.tasks { group.addTask { await ask(claim) } }
        if cancelling { group.cancelAll() }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let firsts = (answers + [await ask(claim)]).filter { $0 == .firstUse }.count
      if firsts > 1 { return ["one token was granted \(firsts) times to \(Self.tasks) tasks \(when)"] }
      if firsts == 0, !cancelling, !answers.contains(.fault) {
        return ["of \(Self.tasks) tasks that claimed a new token \(when), none was granted it, without a fault"]
      }
    }
    return []
  }

  private func inTurn() async -> [String] {
    for _ in 0..<Self.tokens {
      let claim = Self.claim()
      let answers = [await ask(claim), await ask(claim)]
      if answers[1] == .firstUse, answers[0] != .fault { return ["a token that was claimed before was granted"] }
      if answers[0] == .refused { return ["a new token was refused"] }
    }
    return []
  }

  private func cutOff(
    _ disconnect: @Sendable () async -> Void, _ reconnect: @Sendable () async -> Void
  ) async -> [String] {
    let (before, during) = (Self.claim(), Self.claim())
    let first = await ask(before)
    await disconnect()
    let cut = [await ask(before), await ask(during)]
    await reconnect()
    let again = [await ask(before), await ask(during)]
    if first == .firstUse, [cut[0], again[0]].contains(.firstUse) {
      return ["a used token was granted once more while the memory was cut off, or after that"]
    }
    if cut[1] == .firstUse, again[1] == .firstUse {
      return ["a token that was granted while the memory was cut off was granted once more after that"]
    }
    return []
  }

  private func afterLoss(_ lose: @Sendable () async -> Void) async -> [String] {
    let claims = (0..<Self.tokens).map { _ in Self.claim() }
    var granted: [UseClaim] = []
    for claim in claims where await ask(claim) == .firstUse { granted.append(claim) }
    await lose()
    for claim in granted where await ask(claim) == .firstUse {
      return ["a used token was granted once more after the memory had lost what it knew"]
    }
    return []
  }

  // MARK: claims

  private enum Answered { case firstUse, refused, fault }

  private func ask(_ claim: UseClaim) async -> Answered {
    do throws(Refusal.Fault) {
      return try await memory.spend(claim) == .firstUse ? .firstUse : .refused
    } catch {
      return .fault
    }
  }

  /// A claim to a token that no one has, issued now.
  private static func claim() -> UseClaim {
    var source = SystemRandomNumberGenerator()
    var bytes = InlineArray<32, UInt8>(repeating: 0)
    for index in bytes.indices { bytes[index] = source.next() }
    guard let digest = SHA256Digest(bytes: bytes.span) else { preconditionFailure("32 bytes are a digest") }
    return UseClaim(
      identity: TokenIdentity(digest: digest), issueTime: .now, ttlMilliseconds: 300_000, now: .now, request: nil)
  }
}
