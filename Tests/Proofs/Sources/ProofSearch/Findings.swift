import Glibc

/// What searches through every state of many worlds find together. `Coverage` and `Violation` are the model's.
struct Findings {
  private(set) var states = 0
  private(set) var steps = 0
  private(set) var failures = 0
  private var coverage = Coverage()

  /// Searches every state of a world, and says what was found.
  ///
  /// - Parameter show: prints the shortest way to what is wrong.
  mutating func search(_ name: String, _ rules: Rules, show: (Violation) -> Void) {
    var search = Exhaustion(rules)
    let violation = search.run()
    let count = "\(search.states) states, \(search.transitions) steps, at most \(search.deepest) in a row"
    if let violation {
      fail("\(name): \(violation.rawValue) (\(count))")
      show(violation)
    } else {
      print("ok: \(name): \(count)")
    }
    fflush(nil)
    states += search.states
    steps += search.transitions
    coverage.add(rules.coverage)
  }

  /// Says what the searches met; they fail if anything is lacking.
  mutating func checkCoverage() {
    print("met: \(coverage)")
    if !coverage.lacking.isEmpty { fail("never met: \(coverage.lacking)") }
  }

  mutating func fail(_ what: String) {
    print("FAILED: \(what)")
    failures += 1
  }
}
