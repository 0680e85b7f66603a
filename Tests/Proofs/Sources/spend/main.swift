internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenService
internal import MediaTokenSystem

// spend ADDRESS|FILE: uses up tokens by their identities, for scenarios, disasters and benchmarks. Nothing of a token is checked here.
//
// FILE is a daemon's configuration, or a part of one with its member `replay`; an ADDRESS has the usual times. Standard input has a
// token per line, `IDENTITY EXPIRY [REQUEST|- [ISSUED]]`: 64 hexadecimal digits, seconds since 1970, the name of a request. Without ISSUED
// it was issued now, which is no choice for a fleet. Each line is answered at once: first, retry, used, expired, predates, or error and why.
// The exit status is 3 if the memory failed, else 1 if a line was anything but first or retry, else 0.

func claim(_ line: String) -> UseClaim? {
  let fields = line.split(separator: " ").map(String.init)
  guard (2...4).contains(fields.count), let digest = SHA256Digest(hexadecimal: fields[0]),
    let end = Int64(fields[1]).map({ $0 * 1000 })
  else { return nil }
  let now = Instant.now
  let issued = fields.count > 3 ? Int64(fields[3]).map { $0 * 1000 } : min(now.millisecondsSinceEpoch, end)
  guard let issued, issued <= end else { return nil }
  let request =
    fields.count > 2 && fields[2] != "-" ? UseRequest(id: fields[2], callerUID: CurrentProcess.userID) : nil
  return UseClaim(
    identity: TokenIdentity(digest: digest), issueTime: Instant(millisecondsSinceEpoch: issued),
    ttlMilliseconds: end - issued, now: now, request: request)
}

func answer(_ line: String, _ store: any Store) -> (text: String, exitStatus: Int32) {
  guard let claim = claim(line) else {
    return ("error not IDENTITY EXPIRY [REQUEST|- [ISSUED]]", ExitStatus.refused)
  }
  do throws(Fault) {
    switch try store.spend(claim) {
    case .granted(let use): return (use.rawValue, ExitStatus.done)
    case .alreadyUsed: return ("used", ExitStatus.refused)
    case .expired: return ("expired", ExitStatus.refused)
    case .predatesMemory: return ("predates", ExitStatus.refused)
    }
  } catch {
    return ("error \(error.answer.wireName)", ExitStatus.undecided)
  }
}

/// A table has its own times; the policy is one that each covers.
func open(_ place: String) throws(Problem) -> any Store {
  let configured = place.contains(":") ? nil : try ConfiguredReplay(file: place)
  let address = if let configured { configured.address } else { try ReplayAddress(place) }
  var policy = configured?.policy ?? .standard
  if case .shared = address {
    policy = try Policy(maxTTLMilliseconds: 1, futureToleranceMilliseconds: 0, expiryToleranceMilliseconds: 0)
  }
  return try address.open(
    policy: policy, retryWindowMilliseconds: configured?.retryWindowMilliseconds ?? 0,
    fleet: configured?.fleet ?? .standard)
}

StandardStreams.prepare()
var exitStatus = ExitStatus.done
do throws(Problem) {
  try Cryptography.prepare()
  guard CommandLine.arguments.count == 2 else { throw Problem("usage: spend ADDRESS|FILE") }
  let store = try open(CommandLine.arguments[1])
  while let line = readLine() {
    let (text, status) = answer(line, store)
    try StandardOutput.write(text + "\n")
    exitStatus = max(exitStatus, status)
  }
  // A moment later, so it may have passed.
  if exitStatus == ExitStatus.undecided {
    for cause in [store.condition(at: .now).cause, store.nodeTroubles].compactMap(\.self) {
      StandardError.say(cause, of: "spend")
    }
  }
} catch {
  StandardError.say(error.description, of: "spend")
  exitStatus = ExitStatus.undecided
}
CurrentProcess.exit(exitStatus)
