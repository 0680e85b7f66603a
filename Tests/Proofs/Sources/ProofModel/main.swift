import Glibc

// prove [long]: every state of every scenario of the algorithm that was compiled in; fails if anything is wrong.
// find WORLD: the shortest way to a double grant in the scenario of this name, or else to a verdict by a clock that is behind;
// fails if there is neither.
let long = CommandLine.arguments.contains("long")

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "find" {
  for violation in [Violation.doubleGrant, .verdictByAClockBehind] {
    for scenario in Scenario.all(long: false) where scenario.name == CommandLine.arguments[2] {
      guard let way = ShortestWay(rules: Rules(scenario), mostStates: 1_000_000).run(to: violation) else {
        continue
      }
      print("\(violation.rawValue) after \(way.actions.count) steps, in: \(scenario.name)")
      way.show()
      exit(0)
    }
  }
  print("found nothing")
  exit(1)
}

var findings = Findings()
for scenario in Scenario.all(long: long) {
  let rules = Rules(scenario)
  findings.search(scenario.name, rules) { ShortestWay(rules: rules, mostStates: 4_000_000).run(to: $0) }
}
findings.checkCoverage()
guard findings.failures == 0 else { exit(1) }
let promise =
  "no double grant, no verdict by a clock that is behind, no endless claim, one winner wherever one must be"
print("model: \(findings.states) states, \(findings.steps) steps, \(promise)")
