internal import MediaToken
internal import MediaTokenSystem

/// A line of `mediatoken replay spend`: `IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]]`.
struct SpendLine: Redacted {
  private let identity: TokenIdentity
  private let expirySeconds: Int64
  private let requestID: String?
  private let issuedSeconds: Int64?

  /// The error repeats nothing of the line.
  init(_ line: Span<UInt8>) throws(Problem) {
    let bytes = (0..<line.count).map { line[$0] }
    let fields = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard (2...4).contains(fields.count) else {
      throw Problem("not IDENTITY EXPIRY [REQUEST_ID|- [ISSUED]] with one space between")
    }
    guard fields[0].count == 64, let digest = SHA256Digest(hexadecimal: String(decoding: fields[0], as: UTF8.self))
    else { throw Problem("IDENTITY is not 64 hexadecimal digits") }
    guard let expiry = Self.seconds(fields[1]) else { throw Problem("EXPIRY is not seconds since 1970") }
    identity = TokenIdentity(digest: digest)
    expirySeconds = expiry
    requestID = fields.count > 2 ? try Self.requestID(fields[2]) : nil
    issuedSeconds = fields.count > 3 ? try Self.issued(fields[3]) : nil
  }

  /// The memory adds its expiry tolerance to the token's end, and cuts lives that are longer than its maxTTL: the
  /// numbers here are the token's own. A line is refused if the entry's end would depend on the moment of the claim, or
  /// would escape the floor after power loss.
  ///
  /// `needsIssued`: for a fleet, whose nodes keep a token in the bucket of its issue second. A guessed second would
  /// make two tokens of one.
  func claim(
    at now: Instant, within tolerances: ReplayTolerances, needsIssued: Bool
  ) throws(Problem) -> UseClaim {
    guard issuedSeconds != nil || !needsIssued else {
      throw Problem(
        "ISSUED is missing, the fourth field, which says where the nodes of a fleet keep the token")
    }
    let (clock, end) = (now.millisecondsSinceEpoch, expirySeconds * 1000)
    let issued = issuedSeconds.map { $0 * 1000 } ?? min(clock, end)
    guard issued <= end else { throw Problem("ISSUED is later than EXPIRY") }
    guard issued <= clock + tolerances.futureToleranceMilliseconds else {
      throw Problem("ISSUED is more than \(tolerances.futureToleranceMilliseconds) ms ahead of the clock")
    }
    guard issuedSeconds != nil || end - issued <= tolerances.maxTTLMilliseconds else {
      throw Problem("EXPIRY is more than \(tolerances.maxTTLMilliseconds) ms ahead, and ISSUED is missing")
    }
    return UseClaim(
      identity: identity, issueTime: Instant(millisecondsSinceEpoch: issued), ttlMilliseconds: end - issued,
      now: now, request: requestID.map { UseRequest(id: $0, callerUID: CurrentProcess.userID) })
  }

  private static func requestID(_ field: ArraySlice<UInt8>) throws(Problem) -> String? {
    if field.elementsEqual("-".utf8) { return nil }
    guard !field.isEmpty, let text = String(validating: field, as: UTF8.self) else {
      throw Problem("REQUEST_ID is neither UTF-8 text nor -")
    }
    return text
  }

  private static func issued(_ field: ArraySlice<UInt8>) throws(Problem) -> Int64 {
    guard let seconds = seconds(field) else { throw Problem("ISSUED is not seconds since 1970") }
    return seconds
  }

  /// Up to twelve digits, which reach far enough and never overflow.
  private static func seconds(_ field: ArraySlice<UInt8>) -> Int64? {
    guard (1...12).contains(field.count), field.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return field.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}
