import ProofKit

// ProofSingleStep FOLDER [STRIDE]: a claim is killed after each of its instructions; the same with requests and frozen claims after
// every STRIDEth, and with renewals, which have six times as many, less often.

let arguments = Array(CommandLine.arguments.dropFirst())

if arguments.first == "victim", arguments.count == 8 {
  Victim(arguments: arguments[2...]).run(arguments[1])
}
guard let folder = arguments.first, let stride = Int(arguments.count > 1 ? arguments[1] : "1"), stride > 0 else {
  fail("usage: ProofSingleStep FOLDER [STRIDE]")
}
var walks = Walks(folder)
walks.kill("killed", every: 1) { Victim(round: $0, now: $1, life: 60) }
walks.kill("killed with a request", every: stride) { Victim(round: $0, now: $1, life: 60, hasRequest: true) }
// The clock moves on and the lease is renewed inside the claim.
walks.kill("killed while it renews the lease", every: stride == 1 ? 1 : 3 * stride) {
  Victim(round: $0, now: $1, life: 60, warmUp: $1 - 30)
}
walks.freeze("frozen", every: stride, evicting: false)
walks.freeze("frozen past the token's end", every: stride, evicting: true)
say("ProofSingleStep passed")
