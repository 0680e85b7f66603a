import CTrace
import Glibc
import ProofKit

@testable import MediaToken

/// One claim by a process that stops itself just before it, so that its parent can walk it through instruction by
/// instruction.
struct Victim {
  /// The token's number, which is the round's as well.
  let round: Int
  let issued: Int
  let life: Int
  let now: Int
  /// The clock of an earlier claim, which binds every symbol, and leaves only the claim itself to walk through.
  let warmUp: Int
  let hasRequest: Bool

  static let request = UseRequest(id: "the same", callerUID: 7)
  static let retryWindow = 60

  /// Where the process says how far it is: the claim has begun; its outcome, plus one.
  static func words(_ folder: String) -> SharedWords { SharedWords("\(folder)/step.words", count: 2) }
  static func table(_ folder: String) -> String { "\(folder)/step.table" }

  var claim: UseClaim {
    ProofKit.claim(
      token(round), issued: issued, life: life, now: now, request: hasRequest ? Victim.request : nil)
  }

  // MARK: in the process

  func run(_ folder: String) -> Never {
    let words = Self.words(folder)
    let table = openTable(Self.table(folder), retryWindow: Self.retryWindow)
    let first = ProofKit.claim(
      token(round, 1), issued: warmUp, life: 1, now: warmUp, request: hasRequest ? Victim.request : nil)
    require(Outcome(table, first) == .first, "the warm-up was refused")
    let claim = claim
    require(trace_me() == 0, "cannot be traced")
    raise(SIGSTOP)
    words[0] = 1
    let outcome = Outcome(table, claim)
    words[1] = UInt64(outcome.rawValue) + 1
    // Nothing is closed: the mark of a clean close is none of this proof's.
    _exit(0)
  }

  // MARK: in the parent

  private var arguments: [String] {
    [issued, life, now, warmUp, hasRequest ? 1 : 0].map { "\($0)" }
  }

  init(round: Int, now: Int, life: Int, warmUp: Int? = nil, hasRequest: Bool = false) {
    (self.round, issued, self.life, self.now, self.warmUp) = (round, now, life, now, warmUp ?? now)
    self.hasRequest = hasRequest
  }

  /// What the parent asked for.
  init(arguments: ArraySlice<String>) {
    let numbers = arguments.compactMap { Int($0) }
    guard numbers.count == 6 else { fail("a victim's arguments") }
    (round, issued, life, now, warmUp) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    hasRequest = numbers[5] == 1
  }

  /// Starts the process and waits until it stops itself.
  func start(_ folder: String) -> Walk {
    let words = Self.words(folder)
    (words[0], words[1]) = (0, 0)
    let child = Child(["victim", folder, "\(round)"] + arguments)
    let status = child.wait(untraced: true)
    // WIFSTOPPED and WSTOPSIG of waitpid(2).
    require(status & 0xFF == 0x7F && status >> 8 & 0xFF == SIGSTOP, "a victim did not stop: \(status)")
    return Walk(child: child, words: words)
  }
}

/// A stopped process, and how to move it.
struct Walk {
  let child: Child
  let words: SharedWords

  var hasBegun: Bool { words[0] == 1 }
  var outcome: Outcome? { words[1] == 0 ? nil : Outcome(rawValue: Int(words[1]) - 1) }

  /// Executes `count` instructions, or as many as there are before the outcome is known.
  func step(_ count: Int = 1) {
    var status = Int32()
    for _ in 0..<count where outcome == nil {
      let result = trace_step(child.pid, &status)
      require(result == 1, "a victim ended while it was walked: 0x\(String(status, radix: 16))")
    }
  }

  /// Walks the whole claim, undisturbed: which instructions, counted from the stop, are its own.
  func measure() -> ClosedRange<Int> {
    var (count, begin) = (0, 0)
    while outcome == nil {
      step()
      count += 1
      if begin == 0, hasBegun { begin = count }
    }
    require(outcome == .first, "an undisturbed victim: \(String(describing: outcome))")
    child.killAndWait()
    require(begin > 0 && count - begin > 100, "the claim has \(count - begin) instructions: nothing was walked")
    // Claims differ by a few instructions; a walk ends with its outcome.
    return begin...(count + 50)
  }

  /// Lets it run to its end.
  func finish() -> Outcome? {
    require(trace_release(child.pid) == 0, "cannot release a victim")
    child.waitForSuccess()
    return outcome
  }
}
