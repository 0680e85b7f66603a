@testable import MediaTokenHTTP

/// The reader of heads over any bytes: what it says does not depend on where they are cut, on what follows, or on what was
/// read before; and a head that it accepts is one by the grammar, written a second time here.
///
/// The first three bytes say where the rest is cut, the fourth how long a head may be.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHead(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard count > 4 else { return 0 }
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let bytes = Array(input[4...])
  let limit = input[3] < 4 ? 16 * 1024 : 4 * Int(input[3])
  if let answer = Answer(bytes.span), answer.body.upperBound < bytes.count || Answer((bytes + [0]).span) != nil {
    fatalError("bytes after an answer are a part of it")
  }

  let whole = Reading(of: bytes, limit: limit)
  guard Reading(of: bytes, limit: limit, with: &kept.head) == whole else {
    fatalError("a head that was used before reads otherwise")
  }
  let cuts = input[..<3].map { Int($0) }
  guard Reading(of: bytes, limit: limit, pieces: cuts) == whole else {
    fatalError("in pieces of \(cuts) it reads otherwise")
  }
  if bytes.count < 200 {
    let ones = Array(repeating: 1, count: bytes.count)
    guard Reading(of: bytes, limit: limit, pieces: ones) == whole else {
      fatalError("byte by byte it reads otherwise")
    }
  }

  switch whole.progress {
  case .complete:
    if let broken = Grammar(bytes, whole).brokenRule(limit: limit) { fatalError(broken) }
    let end = whole.byteCount
    guard Reading(of: Array(bytes[..<end]), limit: limit) == whole else { fatalError("what follows changes it") }
    guard Reading(of: Array(bytes[..<(end - 1)]), limit: limit).progress == .incomplete else {
      fatalError("it is complete before its last byte")
    }
  case .refused:
    guard Reading(of: bytes + Array("\r\n\r\n".utf8), limit: limit) == whole else {
      fatalError("what follows changes it")
    }
  case .incomplete:
    guard bytes.count < limit else { fatalError("it waits for more than the limit") }
  }
  return 0
}

/// Used for one input after another.
private final class Kept {
  var head = RequestHead()
}

private nonisolated(unsafe) let kept = Kept()

/// All that a head says about itself.
struct Reading: Equatable {
  let progress: RequestHead.Progress
  let isHEAD: Bool
  // What a complete head says.
  var method = 0..<0
  var target = 0..<0
  var fields: [[Range<Int32>]] = []
  var byteCount = 0
  var bodyBytes = 0
  var endsConnection = false
  var expectsContinue = false
  var saysKeepAlive = false

  init(of bytes: [UInt8], limit: Int, pieces: [Int] = []) {
    var head = RequestHead()
    self.init(of: bytes, limit: limit, pieces: pieces, with: &head)
  }

  init(of bytes: [UInt8], limit: Int, pieces: [Int] = [], with head: inout RequestHead) {
    head.reset()
    var end = 0
    var progress = RequestHead.Progress.incomplete
    for piece in pieces + [bytes.count] where progress == .incomplete && end < bytes.count {
      end = min(end + piece, bytes.count)
      progress = Self.read(bytes[..<end], limit, &head)
    }
    (self.progress, isHEAD) = (progress, head.isHEAD)
    guard progress == .complete else { return }
    (method, target, byteCount, bodyBytes) = (head.method, head.target.place, head.byteCount, head.bodyBytes)
    fields = head.fields.map { [$0.name, $0.value] }
    (endsConnection, expectsContinue, saysKeepAlive) = (
      head.endsConnection, head.expectsContinue, head.saysKeepAlive
    )
  }

  /// Reads from memory that ends with the last byte, so that the sanitizer sees a look past it.
  private static func read(_ bytes: ArraySlice<UInt8>, _ limit: Int, _ head: inout RequestHead)
    -> RequestHead.Progress
  {
    let memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    defer { memory.deallocate() }
    _ = memory.initialize(fromContentsOf: bytes)
    return head.read(Span(_unsafeElements: UnsafeBufferPointer(memory)), limit: limit)
  }
}
