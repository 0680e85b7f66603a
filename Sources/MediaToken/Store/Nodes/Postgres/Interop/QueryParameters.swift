internal import CLibPQ
internal import MediaTokenSystem

/// The values of a question to a database, in PostgreSQL's binary form: big endian, arrays with a header.
struct QueryParameters: Redacted {
  private(set) var bytes: [UInt8] = []
  /// The type of each value (PostgreSQL's own numbers, pg_type.dat), and its beginning.
  private(set) var types: [Oid] = []
  private(set) var starts: [Int] = []

  mutating func add(_ text: String) {
    begin(25)
    bytes.append(contentsOf: text.utf8)
  }

  /// An `int`. The times of a fleet are checked to be far smaller.
  mutating func add(int4 number: Int64) {
    begin(23)
    append(UInt32(bitPattern: Int32(clamping: number)))
  }

  mutating func add(int8 number: Int64) {
    begin(20)
    append(UInt64(bitPattern: number))
  }

  mutating func add(_ flag: Bool) {
    begin(16)
    bytes.append(flag ? 1 : 0)
  }

  mutating func add(_ identity: ClaimBatch.IdentityPrefix) {
    begin(2950)
    append(identity)
  }

  /// The issue seconds, identities and ballots of a batch: three arrays.
  mutating func add(_ batch: ClaimBatch) {
    beginArray(1016, of: 20, count: batch.claims.count)
    for claim in batch.claims {
      append(UInt32(8))
      append(UInt64(bitPattern: claim.issueSecond))
    }
    beginArray(2951, of: 2950, count: batch.claims.count)
    for claim in batch.claims {
      append(UInt32(16))
      append(claim.identity)
    }
    beginArray(2951, of: 2950, count: batch.claims.count)
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
