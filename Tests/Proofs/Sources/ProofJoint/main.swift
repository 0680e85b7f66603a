import Glibc

// prove [long]: every state of every world; fails if a token is granted twice. And each rule of hosts and operators broken alone, by
// which a double grant must be found.
// find: the shortest double grant with the joint tally that was compiled in; fails if no double grant is found.
let long = CommandLine.arguments.contains("long")

/// The shortest way to a double grant in the first of the worlds that has one.
func shortest(_ worlds: [World]) -> (world: World, way: Way)? {
  for world in worlds {
    if let way = ShortestWay(rules: Rules(world), mostStates: 3_000_000).run(to: .doubleGrant) {
      return (world, way)
    }
  }
  return nil
}

func show(_ found: (world: World, way: Way), after words: String = "") {
  print("\(words)granted twice after \(found.way.actions.count) steps, in: \(found.world.name)")
  found.way.show()
}

if CommandLine.arguments.contains("find") {
  guard let found = shortest(World.small) else {
    print("found nothing")
    exit(1)
  }
  show(found)
  exit(0)
}

var findings = Findings()
for world in World.promised(long: long) {
  findings.search(world.name, Rules(world)) { _ in shortest([world])?.way }
}
findings.checkCoverage()

for flaw in Flaw.allCases {
  var worlds = flaw == .oneRetiredNode ? World.promised(long: false).filter { $0.nodes.from > 1 } : World.small
  for index in worlds.indices { worlds[index].flaw = flaw }
  if let found = shortest(worlds) {
    show(found, after: "ok: \(flaw.rawValue): ")
  } else {
    findings.fail("\(flaw.rawValue): found nothing")
  }
  fflush(nil)
}

print(
  "joint: \(findings.states) states, \(findings.steps) steps, \(findings.failures) failures; "
    + "no double grant where none may be")
exit(findings.failures == 0 ? 0 : 1)
