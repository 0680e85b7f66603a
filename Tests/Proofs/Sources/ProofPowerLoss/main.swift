import Glibc
import ProofKit

@testable import MediaToken

// ProofPowerLoss FOLDER IMAGES SEED
//
// Uses real tables, and makes of each many images of what a disk may hold after power loss: any subset of the pages is
// older than memory was. Each is opened by the real code as after another boot, and every token that was granted before
// is claimed again.
let arguments = CommandLine.arguments
guard arguments.count == 4, let wanted = Int(arguments[2]), let seed = UInt64(arguments[3]) else {
  fail("usage: ProofPowerLoss FOLDER IMAGES SEED")
}

var proof = Proof(folder: arguments[1], seed: seed)
do {
  while proof.images < wanted { try proof.round(images: min(200, wanted - proof.images)) }
} catch {
  fail("\(error)")
}
print(proof.summary)
exit(proof.hasHeld ? 0 : 1)

struct Proof {
  let folder: String
  let seed: UInt64
  var random: Random
  /// Identities are never used twice.
  var numbers: UInt64 = 0

  var images = 0, damaged = 0, rolledBack = 0, reclaimed = 0, doubleGrants = 0
  var refusedByFloor = 0, refusedAsUsed = 0, refusedByClock = 0
  var newTokens = 0, newGranted = 0, newBelowFloor = 0, wrongFloors = 0
  /// Without the floor these would have been granted twice: the images are really bad.
  var lostTokens = 0

  init(folder: String, seed: UInt64) {
    self.folder = folder
    self.seed = seed
    random = Random(state: seed)
  }

  /// One table, and images of it.
  mutating func round(images count: Int) throws {
    let path = "\(folder)/table"
    unlink(path)
    // The machine's clock was right, or ran ahead of what it will be after the boot.
    let ahead = [0, 0, 3000, 100_000, 3_600_000][random.below(5)]
    let journal = try Journal(path, ahead: Int64(ahead), claims: 240, numbers: &numbers, random: &random)
    for _ in 0..<count { try image(of: journal, "\(folder)/image") }
  }

  private mutating func image(of journal: Journal, _ path: String) throws {
    let version = random.below(journal.versions.count)
    var (bytes, rolledBack) = journal.image(after: version, random: &random)
    images += 1
    damaged += rolledBack > 0 ? 1 : 0
    self.rolledBack += rolledBack
    bytes.set(.bootFirst, to: random.next())
    File.write(bytes, to: path)

    let kernel = Instant.now.millisecondsSinceEpoch
    var earliest = kernel
    if random.chance(of: 2) {
      // The first opener after the boot, with a clock that says anything.
      earliest = [0, kernel - 3_600_000, kernel + 20_000][random.below(3)]
      try Self.openFirst(path, now: earliest)
    }
    let table = try SharedReplayTable(opening: path, policy: journal.policy, retryWindowMilliseconds: 5000)
    let latest = earliest == kernel ? Instant.now.millisecondsSinceEpoch : earliest
    let floor = Int64(bitPattern: table.table.load(.vouchesFrom))
    let lease = Int64(bytes.field(.lease)) * 1000
    let margin = Journal.tolerance + TableFormat.floorMarginMilliseconds
    if !(max(earliest, lease) + margin...max(latest, lease) + margin).contains(floor) { wrongFloors += 1 }

    let granted = journal.granted.prefix(journal.grantedBy[version])
    let highest = Int64(table.table.load(.highest)) * 1000
    // First with the earliest clock that the table accepts, then with later and later ones.
    for clock in [highest - 2000, highest, lease - 1, max(lease, highest) + Int64(random.below(9000))] {
      for token in granted { reclaim(token, at: clock, table) }
    }
    try claimNew(around: floor, table)
    if random.chance(of: 10) {
      table.table.store(0, .vouchesFrom)
      let now = Int64(table.table.load(.highest)) * 1000
      for token in granted where (try? table.spend(token.claim(at: now))) == .firstUse { lostTokens += 1 }
    }
  }

  private static func openFirst(_ path: String, now: Int64) throws {
    guard let file = try TableFile.open(path) else { fail("\(path) is missing") }
    let opening = try TableOpening(file)
    let boot = try Clocks.now()
    try opening.begin(file, Clocks(wall: now, bootBefore: boot.bootBefore, bootAfter: boot.bootAfter))
  }

  private mutating func reclaim(_ token: DatedToken, at now: Int64, _ table: SharedReplayTable) {
    reclaimed += 1
    // Not the request that it was first granted to: no request is repeated across a boot here.
    switch try? table.spend(token.claim(at: now, repeats: false)) {
    case .granted: doubleGrants += 1
    case .predatesMemory: refusedByFloor += 1
    case .alreadyUsed, .expired: refusedAsUsed += 1
    case nil: refusedByClock += 1
    }
  }

  /// Only what is older than the floor is refused: tokens of the very millisecond are granted, once.
  private mutating func claimNew(around floor: Int64, _ table: SharedReplayTable) throws {
    let now = max(floor, Int64(table.table.load(.highest)) * 1000)
    for (age, expected) in [(1, UseOutcome.predatesMemory), (0, .firstUse), (-1, .firstUse), (-500, .firstUse)] {
      numbers += 1
      newTokens += 1
      let token = DatedToken(number: numbers, issued: floor - Int64(age))
      let answer = try table.spend(token.claim(at: now))
      require(answer == expected, "a new token, issued \(age) ms before the floor, was answered with \(answer)")
      if expected == .firstUse { newGranted += 1 } else { newBelowFloor += 1 }
      if try table.spend(token.claim(at: now, repeats: false)) == .firstUse { doubleGrants += 1 }
    }
  }

  var hasHeld: Bool {
    doubleGrants == 0 && wrongFloors == 0 && damaged > images / 2 && reclaimed > 0 && refusedByFloor > 0
      && newGranted > 0 && lostTokens > 0
  }

  var summary: String {
    """
    seed \(seed)
    images \(images), damaged \(damaged), pages rolled back \(rolledBack)
    tokens claimed again \(reclaimed): refused by the floor \(refusedByFloor), as used or over \(refusedAsUsed), \
    clock behind \(refusedByClock); without the floor \(lostTokens) of a tenth of them were granted twice
    new tokens \(newTokens): granted \(newGranted), older than the floor \(newBelowFloor); wrong floors \(wrongFloors)
    power loss: \(hasHeld ? "" : "FAILED: ")\(images) images, \(doubleGrants) double grants
    """
  }
}
