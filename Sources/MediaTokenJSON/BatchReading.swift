package import MediaToken
internal import MediaTokenSystem

/// A line of a batch, looked at before any token is.
enum BatchReading: ~Copyable {
  /// Nothing, which is only counted.
  case blank
  case malformed(BatchLineError)
  /// The line is the token.
  case token
  case object(BatchLine)

  init(_ line: Span<UInt8>, mayHaveInstant: Bool) {
    if line.count > BatchLine.longest {
      self = .malformed(.tooLong)
    } else if BatchLine.isBlank(line) {
      self = .blank
    } else if line.beginsWithByteOrderMark {
      self = .malformed(.byteOrderMark)
    } else if !BatchLine.isObject(line) {
      self = .token
    } else {
      do throws(BatchLineError) {
        self = .object(try BatchLine.parse(line, mayHaveInstant: mayHaveInstant))
      } catch {
        self = .malformed(error)
      }
    }
  }
}

extension Span<UInt8> {
  /// A line may end in CR LF.
  @_lifetime(copy self)
  func withoutReturn() -> Span<UInt8> {
    guard count > 0, self[count - 1] == UInt8(ascii: "\r") else { return self }
    return extracting(droppingLast: 1)
  }
}

extension BatchLine {
  /// What a line says beside the token.
  package struct Words: Sendable {
    package let id: BatchLineID?
    package let requestor: String?
    package let resource: String?
    package let instant: Instant?
  }

  var words: Words { Words(id: id, requestor: requestor, resource: resource, instant: instant) }
}
