internal import CMediaToken
internal import MediaToken
internal import MediaTokenSystem

/// Bytes that a C program gives with a call, checked and in Swift's types.
enum GivenText {
  /// The longest name, path or address in bytes (mediatoken.h, the rules).
  private static let longest = 65_536

  /// True for NULL without a length.
  static func isAbsent(_ text: mediatoken_text) -> Bool { unsafe text.bytes == nil && text.length == 0 }

  /// Throws ``Failure/badArgument(_:)`` for NULL, for nothing, for too much, and for what is not UTF-8: repaired text
  /// could be equal to a token's.
  static func text(
    _ start: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
  ) throws(Failure) -> String {
    let given = try unsafe buffer(start, length, name)
    var isUTF8 = false
    // The caller's bytes are read once, and checked in our copy: another thread may write there.
    let text = unsafe String(unsafeUninitializedCapacity: given.count) { copy in
      _ = unsafe copy.initialize(fromContentsOf: given)
      isUTF8 = unsafe (try? UTF8Span(validating: copy.extracting(..<given.count).span)) != nil
      return isUTF8 ? given.count : 0
    }
    guard isUTF8 else { throw .badArgument("\(name) is not UTF-8") }
    return text
  }

  /// One name of a list, which may be empty text, but not NULL.
  static func name(_ given: mediatoken_text, _ list: StaticString) throws(Failure) -> String {
    if unsafe given.bytes != nil, unsafe given.length == 0 { return "" }
    return try unsafe text(given, list)
  }

  static func text(_ given: mediatoken_text, _ name: StaticString) throws(Failure) -> String {
    try unsafe text(given.bytes, given.length, name)
  }

  /// They must be there, in whatever encoding.
  static func bytes(
    _ start: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
  ) throws(Failure) -> [UInt8] {
    unsafe Array(try buffer(start, length, name))
  }

  private static func buffer(
    _ start: UnsafePointer<CChar>?, _ length: Int, _ name: StaticString
  ) throws(Failure) -> UnsafeBufferPointer<UInt8> {
    guard let start = unsafe start, length > 0 else { throw .badArgument("\(name) is missing") }
    guard length <= longest else {
      throw .badArgument("\(name) is longer than \(longest) bytes")
    }
    // SAFETY: the caller says that there are this many bytes, and keeps them until the call returns.
    return unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self), count: length)
  }
}

extension GivenText {
  /// A token's bytes, in whatever encoding. An empty token is that of a viewer without one, and is refused as such.
  static func token(_ text: mediatoken_text) throws(Failure) -> UnsafeBufferPointer<UInt8> {
    guard unsafe text.length >= 0, unsafe text.length == 0 || text.bytes != nil else {
      throw .badArgument("the token's bytes are NULL")
    }
    // SAFETY: the caller says that there are this many bytes, and keeps them until the call returns.
    return unsafe UnsafeBufferPointer(
      start: UnsafeRawPointer(text.bytes)?.assumingMemoryBound(to: UInt8.self), count: text.length)
  }
}

extension GivenText {
  /// The content of a key file. One that is too long is refused where keys are read; only as many bytes are copied here
  /// as show that.
  static func file(_ start: UnsafeRawPointer?, _ length: Int) throws(Failure) -> [UInt8] {
    guard length >= 0, unsafe start != nil || length == 0 else {
      throw .badArgument("the key file's bytes are NULL")
    }
    // SAFETY: the caller says that there are this many bytes, and keeps them until the call returns.
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: min(length, Limits.keyFileBytes + 1)))
  }
}
