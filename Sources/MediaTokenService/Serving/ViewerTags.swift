internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHandover
internal import MediaTokenSystem

/// Pseudonyms of viewers' accounts. A party that collects them can count how often one account starts something, and
/// learns neither the account nor, once a rotation is over, that two pseudonyms are one account's.
///
/// A tag is the beginning of an HMAC-SHA256: equal for one account, requestor, rotation and key, and for nothing else.
/// It depends on the token and on no clock of ours, so the answer, its log line, a repeated answer and every host with
/// the same key and `rotateHours` have the same one.
struct ViewerTags: Sendable {
  private let key: KeyedHash
  private let rotationMilliseconds: Int64

  /// 64 bits: of a million accounts in one rotation two have the same tag in one rotation of 37 million.
  private static let bytes = 8

  /// Throws if the key's file holds no key, or others may read it.
  init(_ settings: ViewerTagSettings) throws(Problem) {
    key = try SecretFile(settings.key).keyedHash()
    rotationMilliseconds = settings.rotateHours * 3_600_000
  }

  /// A valid token's account may have no tag. That never stops an answer: the token is used by then, and the verdict
  /// stays.
  func write(_ token: VerifiedToken, to writer: inout JSONWriter) {
    let tag = tag(of: token.sessionGUID, for: token.requestorID, at: token.issueTime)
    if let tag { writer.member("viewerTag", plain: tag.span) }
  }

  /// The 16 digits of an account's tag; nil if there is no account, or if OpenSSL fails. `instant`: the token's issue
  /// time, which chooses the rotation.
  func tag(of sessionGUID: String, for requestor: ExactText, at instant: Instant) -> [UInt8]? {
    guard !sessionGUID.isEmpty else { return nil }
    // No current token was issued before 1970.
    let rotation = UInt64(clamping: instant.millisecondsSinceEpoch / rotationMilliseconds)
    var message: [UInt8] = []
    message.reserveCapacity(8 + requestor.text.utf8.count + 1 + sessionGUID.utf8.count)
    for shift in stride(from: 56, through: 0, by: -8) {
      message.append(UInt8(truncatingIfNeeded: rotation >> shift))
    }
    message.append(contentsOf: requestor.text.utf8)
    // XML has no such character, so neither of the two texts can hold it.
    message.append(0)
    message.append(contentsOf: sessionGUID.utf8)
    defer { message.overwrite() }
    guard let code = try? key.code(of: message) else { return nil }
    return code.prefix(Self.bytes).flatMap { [Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }
  }
}
