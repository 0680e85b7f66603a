/// Makes streams that are almost requests out of streams that are, always the same ones for a seed.
struct Mutator {
  private let seeds: [[UInt8]]
  private let words: [[UInt8]]
  /// All lines of all seeds, with their ends.
  private let lines: [[UInt8]]
  private var random: SplitMix

  /// Longer streams only cost time: what is long is tested elsewhere.
  private static let longest = 2_048
  /// Bytes that a head's grammar knows, or that some reader takes for one of those.
  private static let telling: [UInt8] =
    [0, 1, 9, 10, 10, 11, 12, 13, 13, 32, 32, 127, 128, 133, 160, 255]
    + Array("0159+-._,;:=/*?#@\"'()[]<>{}|\\%aAxX".utf8)

  init(seeds: [[UInt8]], words: [[UInt8]], seed: UInt64) {
    self.seeds = seeds
    self.words = words
    lines = seeds.flatMap { stream in
      Self.lineStarts(in: stream).map { Array(stream[$0..<Self.lineEnd(in: stream, from: $0)]) }
    }
    random = SplitMix(state: seed)
  }

  /// The next stream, which has one byte or more.
  mutating func next() -> [UInt8] {
    while true {
      var stream = random.element(of: seeds)
      repeat { mutate(&stream) } while random.below(2) == 0
      if stream.count > Self.longest { stream.removeLast(stream.count - Self.longest) }
      if !stream.isEmpty { return stream }
    }
  }

  private mutating func mutate(_ stream: inout [UInt8]) {
    guard !stream.isEmpty else { return }
    switch random.below(20) {
    case 0, 1, 2: stream[place(in: stream)] = random.element(of: Self.telling)
    case 3, 4: stream.insert(random.element(of: Self.telling), at: place(in: stream))
    case 5: stream.remove(at: place(in: stream))
    case 6:
      let start = place(in: stream)
      stream.removeSubrange(start..<min(stream.count, start + 1 + random.below(8)))
    case 7: stream[place(in: stream)] = UInt8(truncatingIfNeeded: random.next())
    case 8: stream[place(in: stream)] ^= 0x20
    case 9: stream[place(in: stream)] ^= 1 << UInt8(random.below(8))
    case 10: stream.insert(contentsOf: random.element(of: words), at: place(in: stream))
    case 11:
      let start = place(in: stream)
      let word = random.element(of: words)
      stream.replaceSubrange(start..<min(stream.count, start + word.count), with: word)
    case 12, 13: stream.insert(contentsOf: random.element(of: lines), at: lineStart(in: stream))
    case 14:
      let start = lineStart(in: stream)
      stream.removeSubrange(start..<Self.lineEnd(in: stream, from: start))
    case 15:
      let start = lineStart(in: stream)
      let line = stream[start..<Self.lineEnd(in: stream, from: start)]
      stream.insert(contentsOf: Array(line), at: lineStart(in: stream))
    case 16: replaceValue(in: &stream)
    case 17: stream.removeLast(random.below(stream.count))
    case 18: stream += random.element(of: seeds)
    default:
      let other = random.element(of: seeds)
      stream.removeLast(stream.count - lineStart(in: stream))
      stream += other[lineStart(in: other)...]
    }
  }

  /// Puts a word in the place of what is after a line's colon.
  private mutating func replaceValue(in stream: inout [UInt8]) {
    let start = lineStart(in: stream)
    let line = stream[start..<Self.lineEnd(in: stream, from: start)]
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let end = line.lastIndex(of: UInt8(ascii: "\r")) ?? line.endIndex
    guard colon < end else { return }
    stream.replaceSubrange(colon + 1..<end, with: random.element(of: words))
  }

  /// A place where something can be changed: mostly next to a byte that separates two things.
  private mutating func place(in stream: [UInt8]) -> Int {
    let start = random.below(stream.count)
    guard random.below(3) > 0 else { return start }
    let found = stream[start...].firstIndex { byte in
      switch byte {
      case 10, 13, 32, UInt8(ascii: ":"), UInt8(ascii: ","): true
      default: false
      }
    }
    return min(max((found ?? start) + random.below(3) - 1, 0), stream.count - 1)
  }

  private mutating func lineStart(in stream: [UInt8]) -> Int { random.element(of: Self.lineStarts(in: stream)) }

  /// Where lines begin; 0 is one of them even in an empty stream.
  private static func lineStarts(in stream: [UInt8]) -> [Int] {
    var starts = [0]
    for index in stream.indices.dropLast() where stream[index] == 10 { starts.append(index + 1) }
    return starts
  }

  private static func lineEnd(in stream: [UInt8], from start: Int) -> Int {
    stream[start...].firstIndex(of: 10).map { $0 + 1 } ?? stream.count
  }
}

/// Random numbers that are the same everywhere: the generator "SplitMix64" of Steele, Lea and Flood (OOPSLA 2014).
struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 up to one less than `bound`.
  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(bound)) >> 32) }

  mutating func element<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
