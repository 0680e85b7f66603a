internal import CLibHiredis
internal import MediaTokenSystem

/// A command as Redis reads it, one argument after another; hiredis writes it.
struct CommandBytes: Redacted {
  private var text: [UInt8] = []
  private var lengths: [Int] = []

  mutating func add(_ argument: StaticString) {
    text.append(argument)
    lengths.append(argument.utf8CodeUnitCount)
  }

  mutating func add(_ argument: String) {
    text.append(contentsOf: argument.utf8)
    lengths.append(argument.utf8.count)
  }

  /// In decimal digits.
  mutating func add(_ number: Int64) { add(number.description) }

  mutating func add(_ bytes: InlineArray<16, UInt8>) {
    text.append(copying: bytes.span)
    lengths.append(16)
  }

  /// Appends the command to the bytes that are to be sent, and begins the next one.
  mutating func finish(into output: inout [UInt8]) {
    defer {
      text.removeAll(keepingCapacity: true)
      lengths.removeAll(keepingCapacity: true)
    }
    var command: UnsafeMutablePointer<CChar>?
    // SAFETY: each pointer leads into `text`, to as many bytes as its length says; hiredis reads them inside the call. What
    // it allocated is copied and given back.
    let count = unsafe text.withUnsafeBytes { bytes in
      unsafe withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: lengths.count) { arguments in
        var next = unsafe bytes.bindMemory(to: CChar.self).baseAddress
        for index in lengths.indices {
          unsafe arguments.initializeElement(at: index, to: next)
          unsafe next = next.map { unsafe $0 + lengths[index] }
        }
        return unsafe redisFormatCommandArgv(&command, Int32(lengths.count), arguments.baseAddress, lengths)
      }
    }
    // It fails only without memory, and without memory Swift ends the program too.
    guard count > 0, let start = unsafe command else { preconditionFailure("no memory for a command") }
    unsafe output.append(contentsOf: UnsafeRawBufferPointer(start: start, count: Int(count)))
    unsafe redisFreeCommand(start)
  }
}
