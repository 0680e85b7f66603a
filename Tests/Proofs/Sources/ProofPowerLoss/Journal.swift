import Glibc
import ProofKit

@testable import MediaToken

/// A token of this proof.
struct DatedToken {
  let identity: TokenIdentity
  /// In milliseconds since 1970.
  let issued: Int64

  init(number: UInt64, issued: Int64) {
    identity = token(Int(number))
    self.issued = issued
  }

  /// A claim of it; `repeats`: as the request that always asks for this token.
  func claim(at now: Int64, repeats: Bool = true) -> UseClaim {
    UseClaim(
      identity: identity, issueTime: Instant(millisecondsSinceEpoch: issued), ttlMilliseconds: 300_000,
      now: Instant(millisecondsSinceEpoch: now), request: repeats ? UseRequest(id: "\(issued)") : nil)
  }
}

/// A table that was really used, with the bytes of its file after every claim.
struct Journal {
  static let page = 4096
  /// How far ahead tokens may be dated, in milliseconds.
  static let tolerance: Int64 = 2000
  static let capacity = 700

  /// After which claim the file was what: the first is the new table, open.
  private(set) var versions: [[UInt8]] = []
  /// For each version the header page as it was when it was last forced to the disk, and which version that was within.
  private(set) var synchronised: [(header: [UInt8], version: Int)] = []
  /// For each version how many of the granted tokens there were by then.
  private(set) var grantedBy: [Int] = []
  private(set) var granted: [DatedToken] = []
  let policy: Policy

  /// Makes a table at `path` and spends in it, with clocks that begin `ahead` milliseconds before the kernel's.
  init(_ path: String, ahead: Int64, claims: Int, numbers: inout UInt64, random: inout Random) throws {
    policy = try Policy(futureToleranceMilliseconds: Self.tolerance)
    _ = try SharedReplayTable.create(
      at: path, capacity: Self.capacity, policy: policy, mode: 0o600, vouchesFor: .allTokens)
    let table = try SharedReplayTable(opening: path, policy: policy, retryWindowMilliseconds: 5000)
    var now = Instant.now.millisecondsSinceEpoch + ahead
    // Opening forces the header to the disk.
    var last = (header: Array(File.read(path).prefix(Self.page)), version: 0)
    record(path, last)
    for _ in 0..<claims {
      if random.chance(of: 10) { now += Int64(random.below(9000)) }
      // Just issued, a while ago, or dated ahead as far as the tolerance allows.
      let (past, ahead) = (Int64(random.below(60_000)), Int64(random.below(Int(Self.tolerance))))
      let age = [0, past, -ahead, -Self.tolerance][random.below(4)]
      numbers += 1
      let token = DatedToken(number: numbers, issued: now - age)
      let before = table.table.load(.lease)
      require(try table.spend(token.claim(at: now)) == .firstUse, "a new token was refused")
      granted.append(token)
      let lease = table.table.load(.lease)
      if lease != before {
        // Within this claim: everything as before it, except for the lease.
        var header = Array(versions[versions.count - 1].prefix(Self.page))
        header.set(.lease, to: lease)
        last = (header, versions.count)
      }
      record(path, last)
    }
  }

  private mutating func record(_ path: String, _ last: (header: [UInt8], version: Int)) {
    versions.append(File.read(path))
    synchronised.append(last)
    grantedBy.append(granted.count)
  }

  /// What the disk may hold if the power fails after claim `version`, and how many pages are older than they were in
  /// memory: each is any version that it ever had, only the header none from before it was last forced to the disk.
  func image(after version: Int, random: inout Random) -> (bytes: [UInt8], rolledBack: Int) {
    var image = versions[version]
    var rolledBack = 0
    for page in 0..<image.count / Self.page where random.chance(of: 2) {
      let range = page * Self.page..<(page + 1) * Self.page
      let older: ArraySlice<UInt8>
      if page > 0 {
        older = versions[random.below(version + 1)][range]
      } else {
        let (header, forced) = synchronised[version]
        let back = random.below(version - forced + 2)
        older = back > version - forced ? header[...] : versions[version - back][range]
      }
      if image[range] != older {
        image.replaceSubrange(range, with: older)
        rolledBack += 1
      }
    }
    return (image, rolledBack)
  }
}

extension [UInt8] {
  /// Changes a field of a table's header.
  mutating func set(_ field: TableFormat.Field, to value: UInt64) {
    for byte in 0..<8 { self[field.rawValue + byte] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte)) }
  }

  func field(_ field: TableFormat.Field) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(self[field.rawValue + $1]) << UInt64(8 * $1) }
  }
}

/// Whole files.
enum File {
  static func read(_ path: String) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: max(0, lseek(descriptor, 0, SEEK_END)))
    require(pread(descriptor, &bytes, bytes.count, 0) == bytes.count, "\(path) cannot be read")
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String) {
    unlink(path)
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(descriptor) }
    require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count, "\(path) cannot be written")
  }
}

/// SplitMix64 (G. Steele, D. Lea, C. Flood): runs with one seed make the same choices.
struct Random {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  mutating func chance(of count: Int) -> Bool { below(count) == 0 }
}
