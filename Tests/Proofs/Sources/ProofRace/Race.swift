import Glibc
import ProofKit

@testable import MediaToken

/// Runs a course with processes and threads, and counts what each token was answered.
///
/// In a token's word: how often it was a first use, how often it was claimed, and how many are claiming it now, 16 bits
/// each. In its second word: the groups that were answered `firstUse` and `retry`, 8 bits each, and in bit 32 whether
/// another claim was going on during the one that won.
struct Race {
  let course: Course
  let folder: String
  private let tokens: SharedWords
  private let groups: SharedWords
  /// Per claimer: how many steps it has done, and its outcomes.
  private let claimers: SharedWords

  private static let wordsPerClaimer = 16
  private static let timeout = 30

  init(_ course: Course, _ folder: String) {
    self.course = course
    self.folder = folder
    tokens = SharedWords("\(folder)/\(course.name).tokens", count: course.tokens)
    groups = SharedWords("\(folder)/\(course.name).groups", count: course.tokens)
    claimers = SharedWords("\(folder)/\(course.name).claimers", count: Course.claimers * Self.wordsPerClaimer)
  }

  private var table: String { "\(folder)/\(course.name).table" }

  // MARK: the processes

  /// The body of one process: its threads claim every token in step with all others.
  func work(process: Int, base: Int) {
    let table = openTable(table, retryWindow: 60)
    onThreads(Course.threads) { thread in
      self.claim(as: process * Course.threads + thread, base, in: table)
    }
  }

  private func claim(as claimer: Int, _ base: Int, in table: SharedReplayTable) {
    let turns = course.tokens * course.rounds
    claimers[claimer * Self.wordsPerClaimer] = 1
    var step = 0
    for turn in 0..<turns {
      if turn % course.step == 0 {
        step += 1
        claimers[claimer * Self.wordsPerClaimer] = UInt64(step)
        while mustWait(before: step) { waitAMoment() }
      }
      claimOnce(course.claim(turn: turn, claimer: claimer, base: base), turn % course.tokens, claimer, table)
    }
    claimers[claimer * Self.wordsPerClaimer] = UInt64(Int32.max)
  }

  /// Whether a claimer is too late, or has not begun: all start together.
  private func mustWait(before step: Int) -> Bool {
    let slowest = (0..<Course.claimers).reduce(Int.max) { min($0, Int(claimers[$1 * Self.wordsPerClaimer])) }
    // At times in step, so that two cores race; at times not, so that who is interrupted in a claim is overtaken.
    let lead = step / 1024 % 2 == 0 ? course.lead : 256
    return slowest == 0 || slowest + lead <= step
  }

  @inline(__always)
  private func claimOnce(_ claim: UseClaim, _ token: Int, _ claimer: Int, _ table: SharedReplayTable) {
    var others = tokens.add(1 << 32, at: token) >> 32
    // The first to come waits a moment, so that two begin at once.
    for _ in 0..<Self.timeout where others & 0xFFFF == 0 { others = tokens[token] >> 32 &- 1 }
    let outcome = Outcome(table, claim)
    let after = tokens.add((outcome == .first ? 1 : 0) &+ 1 << 16 &- 1 << 32, at: token) >> 32 & 0xFFFF
    if outcome == .first {
      let isContested: UInt64 = others & 0xFFFF > 0 || after > 1 ? 1 << 32 : 0
      groups.set(isContested | 1 << UInt64(course.group(of: claimer)), at: token)
    }
    if outcome == .retry { groups.set(1 << UInt64(8 + course.group(of: claimer)), at: token) }
    claimers.add(1, at: claimer * Self.wordsPerClaimer + 1 + outcome.rawValue)
  }

  // MARK: the parent

  /// Runs the course and reconciles it.
  func run() {
    let base = wallClock()
    createTable(table, capacity: course.capacity)
    let children = (0..<Course.processes).map { process in
      Child(["worker", folder, course.name, "\(course.tokens)", "\(process)", "\(base)"])
    }
    for child in children { child.waitForSuccess() }
    reconcile(seconds: wallClock() - base)
  }

  private func reconcile(seconds: Int) {
    var (none, double, contested, wrongClaims, wrongRetries) = (0, 0, 0, 0, 0)
    for token in 0..<course.tokens {
      let word = tokens[token]
      let firsts = word & 0xFFFF
      if firsts == 0 { none += 1 }
      if firsts > 1 { double += 1 }
      if word >> 16 & 0xFFFF != UInt64(Course.claimers * course.rounds) { wrongClaims += 1 }
      if groups[token] >> 32 > 0 { contested += 1 }
      // A retry is an answer to the very request that was granted, and to a request at all.
      let (granted, repeated) = (groups[token] & 0xFF, groups[token] >> 8 & 0xFF)
      if repeated & ~granted != 0 || repeated & 1 != 0 { wrongRetries += 1 }
    }
    var counts: [Outcome: UInt64] = [:]
    for claimer in 0..<Course.claimers {
      for outcome in Outcome.allCases {
        counts[outcome, default: 0] += claimers[claimer * Self.wordsPerClaimer + 1 + outcome.rawValue]
      }
    }
    let shown = Outcome.allCases.compactMap { outcome in
      counts[outcome].flatMap { $0 > 0 ? "\($0) \(outcome)" : nil }
    }.joined(separator: ", ")
    say(
      "\(course.name): \(course.tokens) tokens, \(Course.processes) processes x \(Course.threads) threads, "
        + "\(Course.claimers * course.rounds) claims of each, \(contested) won while another claimed; \(shown); "
        + "\(double) granted twice, \(none) never; \(seconds) s")

    require(wrongClaims == 0, "\(wrongClaims) tokens were not claimed by all")
    require(double == 0, "\(double) tokens were granted twice")
    require(!course.grantsAll || none == 0, "\(none) tokens were never granted although they lived")
    require(none * 2 < course.tokens, "\(none) tokens were never granted: no race")
    require(wrongRetries == 0, "\(wrongRetries) tokens were given again to another caller")
    require(contested > 0, "only \(contested) tokens were won while another claimed: no race")
    require(counts[.other, default: 0] == 0 && counts[.full, default: 0] == 0, "answers that cannot be: \(shown)")
    require(!course.withRequests || counts[.retry, default: 0] > 0, "no request was answered again")
    require((course.skew.min() ?? 0) >= -2 || counts[.unavailable, default: 0] > 0, "no clock was behind")
    require(course.tokensPerSecond == 0 || counts[.expired, default: 0] > 0, "nothing expired")
  }
}
