import Glibc
import ProofKit

// ProofRace FOLDER [SCALE]: processes and threads claim the same tokens at the same time. Exactly one wins each.

let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "worker" {
  guard arguments.count == 6, let tokens = Int(arguments[3]), let process = Int(arguments[4]),
    let base = Int(arguments[5]),
    let course = (1...100).lazy.flatMap({ Course.all(scale: $0) })
      .first(where: { $0.name == arguments[2] && $0.tokens == tokens })
  else { fail("a worker's arguments") }
  Race(course, arguments[1]).work(process: process, base: base)
} else {
  guard let folder = arguments.first, let scale = Int(arguments.count > 1 ? arguments[1] : "1"),
    (1...100).contains(scale)
  else { fail("usage: ProofRace FOLDER [SCALE]") }
  Edges(folder: folder).run()
  for course in Course.all(scale: scale) { Race(course, folder).run() }
  say("ProofRace passed")
}
