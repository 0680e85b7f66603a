import Glibc

// prove [long]: every state of every world; fails if a token is granted twice, except where that is not promised and must be found.
// And each rule broken alone, by which a double grant must be found.
// steps: what nodes do at every boundary, for steps.py, which has the real functions do it too.
let long = CommandLine.arguments.contains("long")

if CommandLine.arguments.contains("steps") {
  for line in NodeSteps().lines { print(line) }
  exit(0)
}

/// The shortest way to a double grant.
func shortest(_ world: World) -> Way? {
  ShortestWay(rules: Rules(world), mostStates: 20_000_000).run(to: .doubleGrant)
}

var findings = Findings()
for world in World.promised(long: long) {
  findings.search(world.name, Rules(world)) { _ in shortest(world) }
}
// Of what is not promised.
findings.checkCoverage(exceptFor: ["warmingCopyPutBack"])

let flawed = Flaw.allCases.map { flaw in
  var world = World.found(flaw)
  world.flaw = flaw
  return world
}
for world in World.notPromised + flawed {
  let name = world.flaw?.rawValue ?? "not promised"
  if let way = shortest(world) {
    print("ok: \(name): granted twice after \(way.actions.count) steps, in: \(world.name)")
    way.show()
  } else {
    findings.fail("\(name): found nothing in: \(world.name)")
  }
  fflush(nil)
}

print(
  "postgres: \(findings.states) states, \(findings.steps) steps, \(findings.failures) failures; "
    + "no double grant where none may be")
exit(findings.failures == 0 ? 0 : 1)
