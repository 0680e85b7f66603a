import Glibc

// prove [long]: every state of every world; fails if a token is granted twice, except where that is not promised and must be found.
// And each rule broken alone, by which a double grant must be found.
// steps: what seats do at every boundary, for steps.py, which has the real functions do it too.
let long = CommandLine.arguments.contains("long")

if CommandLine.arguments.contains("steps") {
  for line in SeatSteps().lines { print(line) }
  exit(0)
}

/// The shortest way to a double grant.
func shortest(_ world: World) -> [Action]? {
  ShortestWay(rules: Rules(world), mostStates: 20_000_000).run(to: .doubleGrant)?.way
}

func show(_ world: World, _ way: [Action]) {
  for line in world.trace(way) { print("    \(line)") }
}

var failures = 0
var (states, steps) = (0, 0)
var total = Coverage()
for world in World.promised(long: long) {
  let rules = Rules(world)
  var search = Exhaustion(rules)
  let violation = search.run()
  let count = "\(search.states) states, \(search.transitions) steps, at most \(search.deepest) in a row"
  print("\(violation.map { "FAILED: \($0.rawValue)" } ?? "ok"): \(world.name): \(count)")
  if violation != nil {
    if let way = shortest(world) { show(world, way) }
    failures += 1
  }
  fflush(nil)
  states += search.states
  steps += search.transitions
  total.add(rules.coverage)
}
print("met: \(total.description)")
if !total.lacking.isEmpty {
  print("FAILED: never met: \(total.lacking)")
  failures += 1
}

let flawed = Flaw.allCases.map { flaw in
  var world = World.found(flaw)
  world.flaw = flaw
  return world
}
for world in World.notPromised + flawed {
  let name = world.flaw?.rawValue ?? "not promised"
  if let way = shortest(world) {
    print("ok: \(name): granted twice after \(way.count) steps, in: \(world.name)")
    show(world, way)
  } else {
    print("FAILED: \(name): found nothing in: \(world.name)")
    failures += 1
  }
  fflush(nil)
}

print("postgres: \(states) states, \(steps) steps, \(failures) failures; no double grant where none may be")
exit(failures == 0 ? 0 : 1)
