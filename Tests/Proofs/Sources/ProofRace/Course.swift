import ProofKit

@testable import MediaToken

/// One race: which tokens are claimed, by whom, and by which clocks.
struct Course: Sendable {
  let name: String
  let tokens: Int
  let capacity: Int
  /// How long a token lives in seconds.
  let life: Int
  /// After how many tokens all clocks move on by one second; 0: they do not move.
  var tokensPerSecond = 0
  /// By how many seconds the clock of each process is wrong.
  var skew = [0, 0, 0, 0, 0, 0, 0, 0]
  /// Tokens between two looks at the others, and how many such steps a claimer may be ahead of the last.
  var step = 4
  var lead = 1
  /// How often the whole course is run; from the second time on half the processes have the clock that they had then.
  var rounds = 1
  /// Whether claimers name requests: two groups of them repeat one each, the others name none.
  var withRequests = false
  /// Whether every token must be granted: not where lives end in the middle of the race.
  var grantsAll = true

  static let processes = 8
  static let threads = 2
  static let claimers = processes * threads

  /// All races; `scale` makes them longer.
  static func all(scale: Int) -> [Course] {
    [
      Course(name: "race", tokens: 250_000 * scale, capacity: 275_000 * scale, life: 3600),
      // Requests and callers (cases 140, 141).
      Course(name: "requests", tokens: 100_000 * scale, capacity: 110_000 * scale, life: 3600, withRequests: true),
      // Every entry is used again and again, and replayed when it is gone, by clocks that are wrong and that go back
      // (cases 136, 137). Up to 7,024 live at once: three seconds' tokens, two more for the clock that is behind, one
      // for the clock that is ahead, and the 1,024 by which a claimer may be ahead of the last.
      Course(
        name: "clocks", tokens: 100_000 * scale, capacity: 8000, life: 3, tokensPerSecond: 1000,
        skew: [0, 0, -1, -2, 1, -600, -86_400, 0], rounds: 2),
      // Lives end while they are claimed, and what is dead is overwritten at once (case 136). Up to 256 live at once: four
      // seconds' tokens, where a clock that is a second behind is the first to claim.
      Course(
        name: "boundary", tokens: 100_000 * scale, capacity: 400, life: 3, tokensPerSecond: 64,
        skew: [0, 0, 0, 1, 1, 2, -1, 0], lead: 16, grantsAll: false),
    ]
  }

  /// What claimer `claimer` asks for at `turn`.
  func claim(turn: Int, claimer: Int, base: Int) -> UseClaim {
    let (round, token) = turn.quotientAndRemainder(dividingBy: tokens)
    let process = claimer / Course.threads
    let second = tokensPerSecond == 0 ? 0 : token / tokensPerSecond
    let end = tokensPerSecond == 0 ? 0 : tokens / tokensPerSecond
    let now = base + (round > 0 && process % 2 == 1 ? end : second) + skew[process]
    return ProofKit.claim(
      ProofKit.token(token), issued: base + second, life: life, now: now, request: request(of: claimer))
  }

  /// Which request claimers name: 1 and 2 are two requests, 3 is the first one of another caller, 0: they name no request.
  func group(of claimer: Int) -> Int { withRequests ? claimer / 4 : 0 }

  private func request(of claimer: Int) -> UseRequest? {
    switch group(of: claimer) {
    case 1: UseRequest(id: "one", callerUID: 7)
    case 2: UseRequest(id: "another", callerUID: 7)
    case 3: UseRequest(id: "one", callerUID: 8)
    default: nil
    }
  }
}
