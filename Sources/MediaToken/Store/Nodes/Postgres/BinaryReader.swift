internal import MediaTokenSystem

/// Reads PostgreSQL's binary form: big endian, and before each value its length. Rows have a type before each value, too;
/// types are numbered as in pg_type.dat.
struct BinaryReader: Redacted {
  static let (int8, text, uuid, uuidArray): (UInt32, UInt32, UInt32, UInt32) = (20, 25, 2950, 2951)

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// Nil if fewer than four bytes are left.
  mutating func word() -> UInt32? {
    guard rest.count >= 4 else { return nil }
    defer { rest.removeFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// If the next value is null, it has been read.
  mutating func readNull() -> Bool {
    guard rest.prefix(4).elementsEqual(repeatElement(255, count: 4)) else { return false }
    rest.removeFirst(4)
    return true
  }

  /// Nil if the value is null, or longer than what is left.
  mutating func value() -> ArraySlice<UInt8>? {
    guard let count = word(), count <= rest.count else { return nil }
    defer { rest.removeFirst(Int(count)) }
    return rest.prefix(Int(count))
  }

  /// Nil if the next value has another length.
  mutating func int8() -> Int64? {
    guard let bytes = value(), bytes.count == 8 else { return nil }
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }
}
