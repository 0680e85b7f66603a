import Glibc

/// What searches through every state of many worlds find together.
struct Findings {
  private(set) var states = 0
  private(set) var steps = 0
  private(set) var failures = 0
  private var coverage = Coverage()

  /// Searches every state of a world, and says what was found.
  ///
  /// - Parameter shortest: the shortest way to what is wrong.
  mutating func search(_ name: String, _ rules: Rules, shortest: (Violation) -> Way?) {
    var search = Exhaustion(rules)
    let violation = search.run()
    let count = "\(search.states) states, \(search.transitions) steps, at most \(search.deepest) in a row"
    if let violation {
      fail("\(name): \(violation.rawValue) (\(count))")
      shortest(violation)?.show()
    } else {
      print("ok: \(name): \(count)")
    }
    fflush(nil)
    states += search.states
    steps += search.transitions
    coverage.add(rules.coverage)
  }

  /// Says what the searches met; they fail if anything else is lacking.
  mutating func checkCoverage(exceptFor unmet: [String] = []) {
    print("met: \(coverage)")
    let lacking = coverage.lacking.filter { !unmet.contains($0) }
    if !lacking.isEmpty { fail("never met: \(lacking)") }
  }

  mutating func fail(_ what: String) {
    print("FAILED: \(what)")
    failures += 1
  }
}
