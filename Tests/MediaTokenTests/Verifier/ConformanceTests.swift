import MediaToken
import MediaTokenTesting
import Testing

@Suite("The rules of replay memories, and who breaks them")
struct ConformanceTests {
  @Test func `the memory of the tests keeps them`() async {
    let memory = InMemoryReplayMemory()
    let conformance = ReplayMemoryConformance(memory) {
      await memory.fail(.replayMemoryUnavailable)
    } reconnect: {
      await memory.fail(nil)
    } lose: {
      await memory.loseEverything(at: .now)
    }
    #expect(await conformance.violations() == [])
  }

  /// Looks first, and writes later.
  private actor Racing: AsyncReplayMemory {
    private var used: Set<TokenIdentity> = []

    func spend(_ claim: UseClaim) async throws(Refusal.Fault) -> UseOutcome {
      if used.contains(claim.identity) { return .alreadyUsed }
      await Task.yield()
      used.insert(claim.identity)
      return .firstUse
    }
  }

  /// Keeps all rules but one.
  private actor Flawed: AsyncReplayMemory {
    enum Flaw { case grantsAll, refusesAll, grantsWhenCut, forgets }
    private let flaw: Flaw
    private var used: Set<TokenIdentity> = []
    private var isCut = false

    init(_ flaw: Flaw) { self.flaw = flaw }

    func spend(_ claim: UseClaim) throws(Refusal.Fault) -> UseOutcome {
      switch flaw {
      case .grantsAll: return .firstUse
      case .refusesAll: return .alreadyUsed
      case .grantsWhenCut where isCut: return .firstUse
      default: break
      }
      if isCut { throw .replayMemoryUnavailable }
      return used.insert(claim.identity).inserted ? .firstUse : .alreadyUsed
    }

    func cut(_ isCut: Bool) { self.isCut = isCut }
    func lose() { used = [] }

    nonisolated var conformance: ReplayMemoryConformance {
      ReplayMemoryConformance(self) {
        await self.cut(true)
      } reconnect: {
        await self.cut(false)
      } lose: {
        if self.flaw == .forgets { await self.lose() }
      }
    }
  }

  @Test func `each broken rule is found`() async {
    let racing = await ReplayMemoryConformance(Racing()).violations()
    #expect(racing.contains { $0.hasPrefix("one token was granted") })
    let all = await Flawed(.grantsAll).conformance.violations()
    #expect(all.contains("a token that was claimed before was granted"))
    let none = await Flawed(.refusesAll).conformance.violations()
    #expect(none.contains { $0.hasSuffix("none was granted it, without a fault") })
    #expect(
      await Flawed(.grantsWhenCut).conformance.violations() == [
        "a used token was granted once more while the memory was cut off, or after that"
      ])
    #expect(
      await Flawed(.forgets).conformance.violations() == [
        "a used token was granted once more after the memory had lost what it knew"
      ])
  }
}
