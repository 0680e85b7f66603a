import Glibc

// prove [long]: every state of every world; fails if a token is granted twice. And each rule of hosts and operators broken alone, by
// which a double grant must be found.
// find: the shortest double grant with the joint tally that was compiled in; fails if no double grant is found.
let long = CommandLine.arguments.contains("long")

/// The shortest way to a double grant in the first of the worlds that has one.
func shortest(_ worlds: [World]) -> (world: World, way: [Action])? {
  for world in worlds {
    if let (_, way) = ShortestWay(rules: Rules(world), mostStates: 3_000_000).run(to: .doubleGrant) {
      return (world, way)
    }
  }
  return nil
}

func describe(_ found: (world: World, way: [Action])) -> String {
  "granted twice after \(found.way.count) steps, in: \(found.world.name)\n"
    + found.way.map { "    \($0)" }.joined(separator: "\n")
}

if CommandLine.arguments.contains("find") {
  let found = shortest(World.small)
  print(found.map(describe) ?? "found nothing")
  exit(found == nil ? 1 : 0)
}

var findings = Findings()
for world in World.promised(long: long) {
  findings.search(world.name, Rules(world)) { _ in if let found = shortest([world]) { print(describe(found)) } }
}
findings.checkCoverage()

for flaw in Flaw.allCases {
  var worlds = World.small
  for index in worlds.indices { worlds[index].flaw = flaw }
  if let found = shortest(worlds) {
    print("ok: \(flaw.rawValue): \(describe(found))")
  } else {
    findings.fail("\(flaw.rawValue): found nothing")
  }
  fflush(nil)
}

print(
  "joint: \(findings.states) states, \(findings.steps) steps, \(findings.failures) failures; "
    + "no double grant where none may be")
exit(findings.failures == 0 ? 0 : 1)
