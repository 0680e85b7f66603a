// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken
internal import MediaTokenSystem

// Sets of keys: see mediatoken.h.

@c @implementation
public func mediatoken_keys_new(_ keys: UnsafeMutablePointer<OpaquePointer?>?) -> mediatoken_code {
  guard let keys = unsafe keys else { return MEDIATOKEN_BAD_ARGUMENT }
  unsafe keys.pointee = Handle.giving(KeySet())
  return MEDIATOKEN_OK
}

@c @implementation
public func mediatoken_keys_free(_ keys: OpaquePointer?) { unsafe Handle.free(keys, KeySet.self) }

@c @implementation
public func mediatoken_keys_add_path(
  _ keys: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ pathLength: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageSize: Int
) -> mediatoken_code {
  unsafe answer(message, messageSize) { () throws(Failure) in
    let set = try unsafe keySet(keys)
    try set.add(readingFile: unsafe GivenText.bytes(path, pathLength, "path"))
  }
}

@c @implementation
public func mediatoken_keys_add_bytes(
  _ keys: OpaquePointer?, _ name: UnsafePointer<CChar>?, _ nameLength: Int, _ bytes: UnsafeRawPointer?,
  _ length: Int, _ message: UnsafeMutablePointer<CChar>?, _ messageSize: Int
) -> mediatoken_code {
  unsafe answer(message, messageSize) { () throws(Failure) in
    let set = try unsafe keySet(keys)
    let name = try unsafe GivenText.text(name, nameLength, "name")
    try set.add(parsing: KeyFile(name: name, bytes: unsafe GivenText.file(bytes, length)))
  }
}

@c @implementation
public func mediatoken_keys_allow_rsa_1024(
  _ keys: OpaquePointer?, _ fingerprint: UnsafePointer<CChar>?, _ length: Int
) -> mediatoken_code {
  answer(nil, 0) { () throws(Failure) in
    let set = try unsafe keySet(keys)
    let text = try unsafe GivenText.text(fingerprint, length, "fingerprint")
    guard let fingerprint = Fingerprint(hexadecimal: text) else {
      throw .badArgument("the fingerprint is not 64 hexadecimal digits")
    }
    set.allow(fingerprint)
  }
}

@c @implementation
public func mediatoken_keys_allow_development_key(_ keys: OpaquePointer?) -> mediatoken_code {
  answer(nil, 0) { () throws(Failure) in try unsafe keySet(keys).allowDevelopmentKey() }
}

@c @implementation
public func mediatoken_keys_count(_ keys: OpaquePointer?) -> Int {
  unsafe Handle.object(keys, KeySet.self)?.candidates.count ?? 0
}

@c @implementation
public func mediatoken_keys_fingerprint(
  _ keys: OpaquePointer?, _ index: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe length?.pointee = 0
  return unsafe Handle.object(keys, KeySet.self)?.giveFingerprint(of: index, length)
}

@c @implementation
public func mediatoken_keys_bits(_ keys: OpaquePointer?, _ index: Int) -> UInt32 {
  unsafe UInt32(Handle.object(keys, KeySet.self)?.candidate(index)?.modulusBits ?? 0)
}

@c @implementation
public func mediatoken_keys_warnings(
  _ keys: OpaquePointer?, _ index: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe length?.pointee = 0
  guard let set = unsafe Handle.object(keys, KeySet.self), let now = try? RealTime.now() else { return nil }
  return unsafe set.giveWarnings(of: index, at: Instant(millisecondsSinceEpoch: now), length)
}

func keySet(_ keys: OpaquePointer?) throws(Failure) -> KeySet {
  guard let set = unsafe Handle.object(keys, KeySet.self) else {
    throw .badArgument("the set of keys is NULL")
  }
  return set
}
