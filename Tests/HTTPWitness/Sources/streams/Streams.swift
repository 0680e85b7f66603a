import Glibc

@testable import MediaTokenHTTP

/// Reads streams with our own reader and writes what it understood, for others to read them too.
///
///     streams SEED MUTANTS SERVER REFUSED
///
/// Standard input: seeds and words, each a list of texts: how many, and each with its length before it; all numbers have 32
/// bits, the lowest first. Standard output: a record for each seed, for each different mutant of which something was
/// accepted or more is awaited, and for one of REFUSED of the others; then the counts. One of SERVER of all different
/// streams goes through a server as well.
@main
struct Streams {
  static func main() throws {
    let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    var input = Input()
    let (seeds, words) = (input.takeTexts(), input.takeTexts())
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0, !seeds.isEmpty, !words.isEmpty else {
      print("expected streams SEED MUTANTS SERVER REFUSED, and seeds and words on standard input")
      exit(64)
    }
    var run = try Run(server: numbers[2], refused: numbers[3], seed: numbers[0])
    for stream in seeds { try run.take(stream, isSeed: true) }
    var mutator = Mutator(seeds: seeds, words: words, seed: numbers[0])
    for _ in 0..<numbers[1] { try run.take(mutator.next(), isSeed: false) }
    run.finish()
  }
}

/// One run, and what it counts.
struct Run {
  private let server: ServerCheck
  private let serverShare: UInt64
  private let refusedShare: UInt64
  private var random: SplitMix
  private var output = Output()
  /// Hashes of streams that came lately, each in its place: most of what comes twice is left out.
  private var recent = [UInt64](repeating: 0, count: 1 << 20)
  private(set) var streams = 0
  private(set) var different = 0
  private(set) var accepted = 0
  private(set) var throughServer = 0

  init(server: UInt64, refused: UInt64, seed: UInt64) throws {
    self.server = try ServerCheck()
    (serverShare, refusedShare) = (server, refused)
    random = SplitMix(state: ~seed)
  }

  mutating func take(_ stream: [UInt8], isSeed: Bool) throws {
    streams += 1
    guard isNew(stream) || isSeed else { return }
    different += 1
    let understanding = Understanding(of: stream)
    let isUnderstood = !understanding.requests.isEmpty || understanding.end == .incomplete
    if isUnderstood { accepted += 1 }
    if isUnderstood || isSeed || random.next() % refusedShare == 0 { output.write(stream, understanding) }
    guard isSeed || random.next() % serverShare == 0 else { return }
    throughServer += 1
    guard let difference = try server.difference(in: stream, understanding, seed: random.next()) else { return }
    output.write(difference: difference, in: stream)
  }

  mutating func finish() {
    output.write(
      "{\"streams\":\(streams),\"different\":\(different),\"accepted\":\(accepted),\"server\":\(throughServer)}")
    output.flush()
  }

  /// FNV-1a, which is enough to find what is the same.
  private mutating func isNew(_ stream: [UInt8]) -> Bool {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in stream { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let place = Int(truncatingIfNeeded: (hash ^ hash >> 32) & UInt64(recent.count - 1))
    if recent[place] == hash { return false }
    recent[place] = hash
    return true
  }
}
