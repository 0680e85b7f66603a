internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// Where the token of a command comes from.
enum TokenSource {
  static let operand = Command.Operand(.tokenOrInput)
  static let optionalOperand = Command.Operand(.tokenOrInput, isOptional: true)

  /// The token as received: the argument itself, or standard input if it is `-`.
  ///
  /// Of standard input at most one byte more is read than a token may have: what comes after that changes no verdict.
  ///
  /// - Throws: a usage error without argument, or what the system says when standard input can't be read.
  static func read(_ arguments: Arguments) throws(ToolError) -> [UInt8] {
    guard let operand = arguments.operand else {
      throw arguments.usage("expected a token, or - to read it from standard input")
    }
    guard operand == [UInt8(ascii: "-")] else {
      if looksLikeFileName(operand) {
        StandardError.say(
          "the argument is taken for the token itself, and looks like a file's name; to read it from"
            + " that file, type \(arguments.invocation) - <FILE")
      }
      return operand
    }
    do throws(SystemError) {
      return try ByteSource(StandardStreams.input).bytes(atMost: Limits.receivedBytes + 1)
    } catch {
      throw .unable("cannot read standard input: \(error.description)")
    }
  }

  /// Whether the argument does not begin like a token, and has a full stop, which no form of a token has, or names a file
  /// that exists.
  private static func looksLikeFileName(_ operand: [UInt8]) -> Bool {
    guard !operand.isEmpty, !Arguments.isToken(String(decoding: operand, as: UTF8.self)) else { return false }
    return operand.contains(UInt8(ascii: "."))
      || (try? FileStatus(ofFileAt: String(decoding: operand, as: UTF8.self))) != nil
  }
}

/// A descriptor to read from.
struct ByteSource {
  private let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Everything up to the end, or the first `limit` bytes.
  func bytes(atMost limit: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    var used = 0
    while used < limit {
      let count = try SystemCall.read(descriptor, into: &bytes, from: used)
      if count == 0 { break }
      used += count
    }
    bytes.removeLast(limit - used)
    return bytes
  }
}
