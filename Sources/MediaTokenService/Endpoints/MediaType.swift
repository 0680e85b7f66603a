internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The type of a body, by its `Content-Type` (RFC 9110, section 8.3).
enum MediaType: Hashable, Sendable {
  /// The request does not say.
  case none
  case text
  case json
  case form
  /// Any other type, and two of them.
  case other
}

extension HeaderFields {
  private static let contentType = Array("content-type".utf8)
  private static let contentEncoding = Array("content-encoding".utf8)

  /// The type of a body that is sent as it is.
  ///
  /// - Throws: ``RequestError/mediaType``, and ``RequestError/contentEncoding`` for a compressed one, which would be
  ///   taken for a broken token.
  borrowing func bodyType() throws(RequestError) -> MediaType {
    switch find(Self.contentEncoding.span) {
    case .none: break
    case .one(let place) where value(place).isExactlyIgnoringCase("identity"): break
    case .one, .repeated: throw .contentEncoding
    }
    let type = mediaType()
    guard type != .other else { throw .mediaType }
    return type
  }

  /// Its parameters do not matter.
  borrowing func mediaType() -> MediaType {
    switch find(Self.contentType.span) {
    case .none: return .none
    case .repeated: return .other
    case .one(let place):
      let value = value(place)
      var end = value.firstIndex(of: UInt8(ascii: ";"), from: 0) ?? value.count
      while end > 0, value[end - 1] == UInt8(ascii: " ") || value[end - 1] == UInt8(ascii: "\t") { end -= 1 }
      let type = value.extracting(..<end)
      if type.isExactlyIgnoringCase("text/plain") { return .text }
      if type.isExactlyIgnoringCase("application/json") { return .json }
      if type.isExactlyIgnoringCase("application/x-www-form-urlencoded") { return .form }
      return .other
    }
  }
}
