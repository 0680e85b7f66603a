internal import MediaTokenSystem

/// The answer that a connection brought before it ended, read with one meaning only, as ``RequestHead`` reads a question:
/// a head of HTTP/1.1, and after it as many bytes as its one `Content-Length` says.
package struct Answer: Hashable, Sendable {
  package let status: Int
  /// Its `Content-Type`; nil if it has none.
  package let type: Range<Int>?
  package let body: Range<Int>

  /// Nil for everything else: a head longer than 16 KiB, another framing, a body that is cut off, bytes after it.
  package init?(_ bytes: Span<UInt8>) {
    var lines: [Range<Int>] = []
    var start = 0
    repeat {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "\n"), from: start), end < HTTPLimits.headBytes,
        end > start,
        bytes[end - 1] == UInt8(ascii: "\r")
      else { return nil }
      lines.append(start..<(end - 1))
      start = end + 1
    } while lines.last?.isEmpty == false
    guard let status = Self.status(bytes.extracting(lines[0])) else { return nil }
    let places = lines.dropFirst().dropLast().compactMap { try? FieldPlace(at: $0, of: bytes) }
    let fields = HeaderFields(bytes, places)
    guard places.count == lines.count - 2, fields.find("transfer-encoding".utf8Span.span) == .none,
      case .one(let length) = fields.find("content-length".utf8Span.span),
      bytes.extracting(length).hasSameBytes(as: "\(bytes.count - start)".utf8Span.span)
    else { return nil }
    self.status = status
    body = start..<bytes.count
    switch fields.find("content-type".utf8Span.span) {
    case .none: type = nil
    case .one(let place): type = place
    case .repeated: return nil
    }
  }

  /// Three digits between the version and a phrase, which says nothing (RFC 9112 section 4).
  private static func status(_ line: Span<UInt8>) -> Int? {
    guard line.begins(with: "HTTP/1.1 "), line.count > 12, line[12] == UInt8(ascii: " "), line.isFieldValue else {
      return nil
    }
    let digits = line.extracting(9..<12)
    guard digits.indices.allSatisfy({ digits[$0].isDigit }) else { return nil }
    return digits.indices.reduce(0) { $0 * 10 + Int(digits[$1] - UInt8(ascii: "0")) }
  }
}
