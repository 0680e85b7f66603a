import Glibc

// prove [long]: every state of every world with the tally that was compiled in; fails if a token is granted twice, except where that is not
// promised and must be found, or if a wrong clock keeps an honest node from voting. And each flaw of scripts and hosts, which must be
// found.
// steps: what nodes did in the small worlds, and the real scripts, for node-steps.lua.
// find: the shortest double grant with the tally that was compiled in; fails if no double grant is found.
let long = CommandLine.arguments.contains("long")
let nearest = 3_000_000

/// The real ones, as Lua reads them.
let scripts = "claims = [=[\(NodeScripts.claims.text)]=]\nstart = [=[\(NodeScripts.start.text)]=]\nrun()"

/// The shortest way to harm in the first of the worlds that has one.
func shortest(_ worlds: [Scenario], to harm: Violation = .doubleGrant) -> (world: Scenario, way: Way)? {
  for world in worlds {
    var world = world
    world.isSymmetric = false
    if let way = ShortestWay(rules: Rules(world), mostStates: nearest).run(to: harm) { return (world, way) }
  }
  return nil
}

if CommandLine.arguments.contains("find") {
  guard let found = shortest(Scenario.small) else {
    print("found nothing")
    exit(1)
  }
  print("granted twice after \(found.way.actions.count) steps, in: \(found.world.name)")
  found.way.show()
  exit(0)
}

if CommandLine.arguments.contains("steps") {
  print(scripts)
  var steps = NodeSteps()
  steps.addBoundaries()
  for world in Scenario.small + Scenario.clocks {
    let rules = Rules(world)
    rules.steps = steps
    var search = Exhaustion(rules)
    _ = search.run()
    steps = rules.steps ?? steps
  }
  for line in steps.lines { print(line) }
  exit(0)
}

var findings = Findings()
for world in Scenario.promised(long: long) {
  findings.search(world.name, Rules(world)) { shortest([world], to: $0)?.way }
}
findings.checkCoverage()

for world in Scenario.notPromised {
  guard let found = shortest([world]) else {
    findings.fail("\(world.name): is not promised, and was not found")
    continue
  }
  print("ok: not promised: \(world.name): granted twice after \(found.way.actions.count) steps")
  found.way.show()
}

for flaw in Flaw.allCases {
  let worlds =
    flaw.harm == .doubleGrant ? Scenario.small + Scenario.clocks : Scenario.clocks + [.lying(nodes: 4, most: 1)]
  let flawed = worlds.map { world in
    var world = world
    world.flaw = flaw
    return world
  }
  guard let found = shortest(flawed, to: flaw.harm) else {
    findings.fail("\(flaw): found nothing")
    continue
  }
  print("ok: \(flaw): \(flaw.harm.rawValue) after \(found.way.actions.count) steps, in: \(found.world.name)")
  found.way.show()
}

print(
  "fleet: \(findings.states) states, \(findings.steps) steps, \(findings.failures) failures; "
    + "no double grant where none may be")
exit(findings.failures == 0 ? 0 : 1)
