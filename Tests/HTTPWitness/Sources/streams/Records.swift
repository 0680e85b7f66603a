import Glibc

@testable import MediaTokenHTTP

/// Texts with their lengths before them, from standard input.
struct Input {
  private var bytes: ArraySlice<UInt8>

  /// Reads to the end.
  init() {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = read(0, &buffer, buffer.count), count > 0 { all += buffer[..<count] }
    bytes = all[...]
  }

  /// Takes the next list of texts; what is missing at the end is left out.
  mutating func takeTexts() -> [[UInt8]] {
    (0..<takeNumber()).map { _ in Array(take(takeNumber())) }
  }

  private mutating func takeNumber() -> Int { take(4).reversed().reduce(0) { $0 << 8 | Int($1) } }

  private mutating func take(_ count: Int) -> ArraySlice<UInt8> {
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }
}

/// Writes records to standard output; `compare.py` reads them. A text has its length before it, a number has 32 bits.
///
/// - `1`, the stream, its end (`nothingLeft`, or what was refused), how many bytes were taken, how many requests follow, and
///   each of those: where it starts and ends, how many numbers follow, and these, which count from its start: whether it
///   is whole, whether it ends the connection; start and end of method, target, body; and of each field's name and value.
/// - `2`, the stream, and what the server did otherwise.
/// - `3`, and the counts as JSON, at the end.
struct Output {
  private var bytes: [UInt8] = []

  mutating func write(_ stream: [UInt8], _ understanding: Understanding) {
    write(1)
    write(stream)
    write(Array(Self.name(understanding.end).utf8))
    write(understanding.taken)
    write(understanding.requests.count)
    for request in understanding.requests { write(request) }
    if bytes.count > 1 << 16 { flush() }
  }

  private mutating func write(_ request: UnderstoodRequest) {
    write(request.start)
    write(request.body.upperBound)
    write(8 + 4 * request.fields.count)
    write(request.isWhole ? 1 : 0)
    write(request.endsConnection ? 1 : 0)
    for place in [request.method, request.target, request.body] { write(place, from: request.start) }
    for field in request.fields {
      write(field.name, from: request.start)
      write(field.value, from: request.start)
    }
  }

  private mutating func write(_ place: Range<Int>, from start: Int) {
    write(place.lowerBound - start)
    write(place.upperBound - start)
  }

  mutating func write(difference: String, in stream: [UInt8]) {
    write(2)
    write(stream)
    write(Array(difference.utf8))
  }

  mutating func write(_ counts: String) {
    write(3)
    write(Array(counts.utf8))
  }

  private mutating func write(_ text: [UInt8]) {
    write(text.count)
    bytes += text
  }

  private mutating func write(_ number: Int) {
    let number = UInt32(number)
    for shift in [0, 8, 16, 24] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// Writes what is left to write; ends the program where there is nowhere to write to.
  mutating func flush() {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { exit(74) }
      sent += count
    }
    bytes.removeAll(keepingCapacity: true)
  }

  /// A word for each way in which a stream can end.
  private static func name(_ end: Understanding.End) -> String {
    switch end {
    case .nothingLeft, .incomplete, .connectionEnds: "\(end)"
    case .refused(let refusal, _): "\(refusal.status) \(refusal)"
    }
  }
}
