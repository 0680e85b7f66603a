internal import CLibPQ

/// A database's answer to one question, all of it.
struct ServerAnswer {
  /// Nil after an error.
  var rows: QueryResult?
  /// The code (SQLSTATE), and the server's words.
  var error: (state: String, message: String)?
  /// True if there was a warning: what was committed may not be where it was to be.
  var isWarned = false
}

/// Rows, of which one is read.
@safe final class QueryResult {
  // SAFETY: taken over in init, freed in deinit.
  private let result: OpaquePointer

  init(_ result: OpaquePointer) { unsafe self.result = result }
  deinit { unsafe LibPQ.functions.PQclear(result) }

  var status: ExecStatusType { unsafe LibPQ.functions.PQresultStatus(result) }

  var error: (state: String, message: String) {
    func field(_ code: Int32) -> String {
      unsafe LibPQ.functions.PQresultErrorField(result, code).map { unsafe String(cString: $0) } ?? ""
    }
    return (field(mediatoken_pq_state), field(mediatoken_pq_message))
  }

  /// The number of values in a row; 0 unless there is exactly one row.
  var columns: Int { unsafe LibPQ.functions.PQntuples(result) == 1 ? Int(LibPQ.functions.PQnfields(result)) : 0 }

  /// Nil if the value is null or not there.
  func bytes(_ column: Int) -> [UInt8]? {
    guard column < columns, unsafe LibPQ.functions.PQgetisnull(result, 0, Int32(column)) == 0 else { return nil }
    // SAFETY: libpq keeps that many bytes until the result is freed.
    let count = Int(unsafe LibPQ.functions.PQgetlength(result, 0, Int32(column)))
    return unsafe Array(
      UnsafeRawBufferPointer(start: LibPQ.functions.PQgetvalue(result, 0, Int32(column)), count: count))
  }

  func text(_ column: Int) -> String? { bytes(column).map { String(decoding: $0, as: UTF8.self) } }

  /// An integer of 1, 4 or 8 bytes; a `boolean` is 0 or 1.
  func number(_ column: Int) -> Int64? {
    guard let bytes = bytes(column) else { return nil }
    switch bytes.count {
    case 1: return Int64(bytes[0])
    case 4: return Int64(Int32(bitPattern: bytes.reduce(0) { $0 << 8 | UInt32($1) }))
    case 8: return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }
}
