internal import CLibPQ
internal import MediaTokenSystem

/// The values of a question to a database, in PostgreSQL's binary form: big endian, arrays with a header.
struct QueryParameters {
  private(set) var bytes: [UInt8] = []
  /// What each value is (pg_type.oid), and where it begins.
  private(set) var types: [Oid] = []
  private(set) var starts: [Int] = []

  /// PostgreSQL's own numbers, which never change (pg_type.dat).
  private enum Kind {
    static let bool: Oid = 16
    static let int8: Oid = 20
    static let int4: Oid = 23
    static let text: Oid = 25
    static let uuid: Oid = 2950
    static let int8Array: Oid = 1016
    static let uuidArray: Oid = 2951
  }

  mutating func add(_ text: String) {
    begin(Kind.text)
    bytes.append(contentsOf: text.utf8)
  }

  /// An `int`. The times of a fleet are checked to be far smaller.
  mutating func add(int4 number: Int64) {
    begin(Kind.int4)
    append(UInt32(bitPattern: Int32(clamping: number)))
  }

  mutating func add(int8 number: Int64) {
    begin(Kind.int8)
    append(UInt64(bitPattern: number))
  }

  mutating func add(_ flag: Bool) {
    begin(Kind.bool)
    bytes.append(flag ? 1 : 0)
  }

  mutating func add(_ identity: ClaimBatch.IdentityPrefix) {
    begin(Kind.uuid)
    append(identity)
  }

  /// The issue seconds, identities and ballots of a batch: three arrays.
  mutating func add(_ batch: ClaimBatch) {
    beginArray(Kind.int8Array, of: Kind.int8, count: batch.claims.count)
    for claim in batch.claims {
      append(UInt32(8))
      append(UInt64(bitPattern: claim.issueSecond))
    }
    beginArray(Kind.uuidArray, of: Kind.uuid, count: batch.claims.count)
    for claim in batch.claims {
      append(UInt32(16))
      append(claim.identity)
    }
    beginArray(Kind.uuidArray, of: Kind.uuid, count: batch.claims.count)
    for claim in batch.claims {
      append(UInt32(16))
      let ballot = claim.ballot.bytes
      bytes.append(copying: ballot.span)
    }
  }

  private mutating func begin(_ type: Oid) {
    types.append(type)
    starts.append(bytes.count)
  }

  /// Dimensions, whether there are nulls, the elements' type, their number, and the first index.
  private mutating func beginArray(_ type: Oid, of element: Oid, count: Int) {
    begin(type)
    for word in [1, 0, element, UInt32(count), 1] { append(word) }
  }

  private mutating func append(_ identity: ClaimBatch.IdentityPrefix) {
    append(identity.first.byteSwapped)
    append(identity.second.byteSwapped)
  }

  private mutating func append<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }
}
