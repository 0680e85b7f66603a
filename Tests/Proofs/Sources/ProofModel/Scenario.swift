internal import MediaTokenSystem

@testable internal import MediaToken

/// One small world: who claims with which clocks, and what else can happen.
final class Scenario {
  /// A process that makes one claim after another, each with any of these clocks.
  struct Claimer {
    let token: Token
    let clocks: [UInt8]
    var claims = 1
    var request: String?
  }

  /// Times in seconds after the table's epoch.
  struct Token {
    let identity: TokenIdentity
    let issued: UInt8
    let life: UInt8
  }

  let name: String
  let header: TableHeader
  let claimers: [Claimer]
  /// The open entries, in the order in which a claimer of the proved identity looks at them.
  let open: [Int]
  /// The instants to which others may raise H at any time.
  let ticks: [UInt8]
  /// Whether power loss takes entries, and not the header alone.
  let losesEntries: Bool
  /// The clocks that the machine may have when it comes up again, in seconds since 1970.
  let bootClocks: [Int64]
  /// What the clocks say about a machine whose table is warming, one moment after the other: the wall clock in seconds after the
  /// epoch, the boot clock, and in which boot. Elsewhere there is one moment, and claimers have any clock.
  let moments: [Moment]
  struct Moment {
    let wall: UInt8
    let boot: UInt8
    var number = 0
  }
  var isWarming: Bool { !moments.isEmpty }
  /// Whether the table grows, once and at any time. Then the open entries are two in each part.
  let grows: Bool
  let parts: [TablePart]
  /// The words with which others overwrite: of another tag, and these ends.
  private(set) var strangers: [UInt8] = []
  /// The word in every entry that is not open: it outlives everything here.
  let lasting: UInt64
  private(set) var initial: [State] = []

  /// Every claim that can be made: by claimer, by clock.
  private(set) var spends: [[Spend]] = []
  private var words: [UInt64] = [0]

  init(
    _ name: String, claimers: [Claimer], openEntries: Int = 2, ticks: [UInt8] = [], strangerEnds: [UInt8] = [],
    kills: UInt8 = 0, overwrites: UInt8 = 0, losses: UInt8 = 0, losesEntries: Bool = true, bootClocks: [Int64] = [],
    moments: [Moment] = [], highest: UInt8? = nil, retryWindow: UInt64 = 0, grows: Bool = false
  ) {
    self.name = name
    header = World.header
    self.claimers = claimers
    self.ticks = ticks
    self.losesEntries = losesEntries
    self.bootClocks = bootClocks
    self.moments = moments
    self.grows = grows
    parts = [World.header.first, TablePart(capacity: 9, after: World.header.first)]
    let grown = World.place(of: World.identity, inPart: 1, parts[1])
    open =
      grows
      ? [0, TableFormat.entriesPerBucket, grown.first, grown.second]
      : Array([0, TableFormat.entriesPerBucket, 1, TableFormat.entriesPerBucket + 1].prefix(openEntries))
    lasting = World.strangerTag << TableFormat.endBits | TableFormat.endMask
    spends = claimers.map { claimer in
      claimer.clocks.map { clock in
        // The verifier has refused it otherwise, and no floor would cover it.
        precondition(claimer.token.issued <= clock + 2, "a token is dated further ahead than the table tolerates")
        let claim = UseClaim(
          identity: claimer.token.identity, issueTime: World.instant(claimer.token.issued),
          ttlMilliseconds: Int64(claimer.token.life) * 1000, now: World.instant(clock),
          request: claimer.request.map { UseRequest(id: $0) })
        guard let spend = Spend(claim, in: World.header, retryWindowSeconds: retryWindow) else {
          fatalError("a claim does not fit")
        }
        return spend
      }
    }
    strangers = strangerEnds.map { code(of: World.strangerTag << TableFormat.endBits | UInt64($0)) }
    begin(kills: kills, overwrites: overwrites, losses: losses, highest: highest)
  }

  /// The new table, as it is written, with every combination of nothing and strangers' words in the open entries.
  private func begin(kills: UInt8, overwrites: UInt8, losses: UInt8, highest: UInt8?) {
    var state = State()
    state[.highest] = highest ?? seconds(World.table.load(.highest))
    // Where the lease is not under proof it is far away.
    state[.lease] = highest == nil ? lease(World.table.load(.lease)) : 255
    state[.durableLease] = highest == nil ? lease(World.table.load(.durableLease)) : 255
    if isWarming {
      // A lost table granted the token before this one was made.
      state[.firstUses] = 1
      state[.vouchesFrom] = floor(Int64(World.warmingTable.load(.vouchesFrom)))
      state[.warmingUntil] = UInt8(World.warmingTable.load(.warmingUntil) / 1000)
      state[.machineStart] = code(ofStart: World.warmingTable.load(.machineStart))
    }
    state[.parts] = 1
    if grows { state.grower.claimsLeft = 1 }
    state.writeHeader()
    (state[.killsLeft], state[.overwritesLeft], state[.lossesLeft]) = (kills, overwrites, losses)
    for index in claimers.indices { state[claimer: index].claimsLeft = claimers[index].claims }
    initial = [state]
    for entry in open.indices where EntryNumber.part(open[entry]) == 0 {
      initial = initial.flatMap { state in
        ([0] + strangers).map { word in
          var state = state
          state[.entries, entry] = word
          return state
        }
      }
    }
  }

  // MARK: numbers for what states hold

  func isOpen(_ entry: Int) -> Bool { open.contains(entry) }
  func openIndex(_ entry: Int) -> Int {
    guard let index = open.firstIndex(of: entry) else { fatalError("an entry that is not open") }
    return index
  }
  func second(_ code: UInt8) -> UInt64 { header.epoch + UInt64(code) }
  func seconds(_ second: UInt64) -> UInt8 { UInt8(second - header.epoch) }
  func word(_ code: UInt8) -> UInt64 { words[Int(code)] }

  /// No lease is zero, in the table as here.
  private func lease(_ second: UInt64) -> UInt8 { second == 0 ? 0 : seconds(second) }

  func code(of word: UInt64) -> UInt8 {
    if let known = words.firstIndex(of: word) { return UInt8(known) }
    words.append(word)
    return UInt8(words.count - 1)
  }

  func vouchesFrom(_ state: State) -> Int64 { instant(ofFloor: state[.vouchesFrom]) }
  func instant(ofFloor code: UInt8) -> Int64 { code == 0 ? 0 : Int64(second(code)) * 1000 }
  /// Rounded up: a floor that is higher refuses more.
  func floor(_ instant: Int64) -> UInt8 { UInt8(clamping: (instant + 999) / 1000 - Int64(header.epoch)) }

  func clocks(_ moment: UInt8) -> Clocks {
    let moment = moments[Int(moment)]
    return Clocks(
      wall: Int64(second(moment.wall)) * 1000, bootBefore: UInt64(moment.boot) * 1000,
      bootAfter: UInt64(moment.boot) * 1000)
  }
  /// When a part stops being looked at; 0: not known.
  func end(_ code: UInt8) -> UInt64 { code == 0 ? 0 : second(code) }

  /// The machine may have been started before the epoch.
  func code(ofStart instant: UInt64) -> UInt8 { UInt8(instant / 1000 + 50 - header.epoch) }
  func machineStart(_ code: UInt8) -> UInt64 { (header.epoch + UInt64(code) - 50) * 1000 }
}

/// What all scenarios have in common: a real header of a real new table.
enum World {
  static let header: TableHeader = {
    do {
      let policy = try Policy(maxTTLMilliseconds: 200_000, futureToleranceMilliseconds: 2000)
      return try TableHeader(capacity: 1, policy: policy, now: 1_000_000, path: "model")
    } catch {
      fatalError("\(error)")
    }
  }()

  static let table: MappedTable = {
    do throws(SystemError) {
      let table = try MappedTable(descriptor: nil, first: header.first)
      header.write(to: table, vouchesFrom: 0)
      return table
    } catch {
      fatalError("\(error)")
    }
  }()

  /// The same table, made when it may have come in the place of a lost one.
  static let warmingTable: MappedTable = {
    do throws(SystemError) {
      let table = try MappedTable(descriptor: nil, first: header.first)
      header.write(to: table, vouchesFrom: header.floor(above: 1_000_000))
      table.beginWarming(header, Clocks(wall: 1_000_000, bootBefore: 0, bootAfter: 0))
      return table
    } catch {
      fatalError("\(error)")
    }
  }()

  /// An identity whose first bucket is the first of the table's two.
  static let identity = identity(from: 1, firstBucket: 0)
  /// Another one, which looks at the other bucket first.
  static let neighbour = identity(from: 1 << 32, firstBucket: 1)

  static let strangerTag: UInt64 = {
    let taken = [identity, neighbour].map { EntryPlace(of: $0, seed: header.seed, buckets: 2).tag }
    // Of three numbers two may be taken.
    return !taken.contains(1) ? 1 : !taken.contains(2) ? 2 : 3
  }()

  static func place(of identity: TokenIdentity, inPart number: Int, _ part: TablePart) -> EntryPlace {
    EntryPlace(
      hash: EntryPlace.hash(of: identity, seed: header.seed), buckets: UInt64(part.buckets), part: number)
  }

  static func instant(_ second: UInt8) -> Instant {
    Instant(millisecondsSinceEpoch: Int64(header.epoch + UInt64(second)) * 1000)
  }

  private static func identity(from first: UInt64, firstBucket: Int) -> TokenIdentity {
    var number = first
    while true {
      let identity = TokenIdentity(digest: SHA256Digest(words: number, 0, 0, 0))
      let place = EntryPlace(of: identity, seed: header.seed, buckets: UInt64(header.first.buckets))
      if place.first == firstBucket * TableFormat.entriesPerBucket { return identity }
      number += 1
    }
  }
}
