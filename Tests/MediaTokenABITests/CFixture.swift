import CMediaToken
import Foundation
import MediaToken
import MediaTokenABI
import MediaTokenIssuer

/// A verifier of the C interface with a table of its own, used as a C program would.
@safe final class CFixture: @unchecked Sendable {
  // SAFETY: made in init, freed in deinit; the interface lets any number of threads use a verifier.
  let verifier: OpaquePointer
  let keyPairs: [DevelopmentKeyPair]
  private let folder: String

  /// Made once for all tests.
  private static let pairs = (0..<2).map { _ in
    Result { () throws(Problem) in try DevelopmentKeyPair.generate(modulusBits: 2048) }
  }

  init(keyPairs count: Int = 2, retryWindowMilliseconds: Int64 = 0) throws {
    keyPairs = try Self.pairs.prefix(count).map { try $0.get() }
    folder = FileManager.default.temporaryDirectory.path + "/mediatoken-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let path = folder + "/replay.table"
    _ = try SharedReplayTable.create(
      at: path, capacity: 100_000, policy: .standard, mode: 0o600, vouchesFor: .allTokens)
    var policy = unsafe mediatoken_policy()
    unsafe policy.size = MemoryLayout<mediatoken_policy>.size
    unsafe policy.max_ttl_ms = 3_600_000
    unsafe policy.future_tolerance_ms = 60_000
    unsafe policy.retry_window_ms = retryWindowMilliseconds
    let keys = try unsafe Self.keys(keyPairs)
    defer { unsafe mediatoken_keys_free(keys) }
    var made: OpaquePointer?
    let address = "shared:" + path
    let code = unsafe mediatoken_verifier_new(&made, keys, &policy, address, address.utf8.count, nil, 0)
    guard code == MEDIATOKEN_OK, let made = unsafe made else { throw UnexpectedCode(code: code) }
    unsafe verifier = made
  }

  deinit {
    unsafe mediatoken_verifier_free(verifier)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// What a call said that should have succeeded.
  struct UnexpectedCode: Error {
    let code: mediatoken_code
  }

  /// A set of the public halves, which is the caller's to free.
  static func keys(_ pairs: [DevelopmentKeyPair]) throws -> OpaquePointer {
    var keys: OpaquePointer?
    guard unsafe mediatoken_keys_new(&keys) == MEDIATOKEN_OK, let keys = unsafe keys else {
      throw UnexpectedCode(code: MEDIATOKEN_BAD_ARGUMENT)
    }
    for pair in pairs {
      let pem = try pair.publicKeyPEM()
      let code = unsafe mediatoken_keys_add_bytes(keys, "test.pem", 8, pem, pem.utf8.count, nil, 0)
      guard code == MEDIATOKEN_OK else { throw UnexpectedCode(code: code) }
    }
    return unsafe keys
  }

  /// Exchanges the verifier's keys for those of these pairs.
  func setKeys(_ pairs: [DevelopmentKeyPair]) throws {
    let keys = try unsafe Self.keys(pairs)
    defer { unsafe mediatoken_keys_free(keys) }
    try unsafe setKeys(keys)
  }

  /// Exchanges the verifier's keys for this set, which stays the caller's.
  func setKeys(_ keys: OpaquePointer) throws {
    let code = unsafe mediatoken_verifier_set_keys(verifier, keys, nil, 0)
    guard code == MEDIATOKEN_OK else { throw UnexpectedCode(code: code) }
  }

  /// A fresh token of this viewer.
  func token(_ viewer: Int, resource: String = "final", signedBy pair: Int = 0) throws -> String {
    var issuer = try DevelopmentTokenIssuer(keyPairs[pair])
    let token = DevelopmentToken(
      requestorID: "sports", resourceID: resource,
      issueTime: Instant(millisecondsSinceEpoch: Int64(time(nil)) * 1000), sessionGUID: "viewer \(viewer)")
    var bytes: [UInt8] = []
    try issuer.issue(token, as: .raw, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What the interface says about a token; `use` if it is valid.
  func verify(
    _ token: String, resource: RequestedResource = RequestedResource(), requestID: String? = nil, flags: UInt32 = 0
  ) -> (code: mediatoken_code, use: mediatoken_use) {
    var result: OpaquePointer?
    guard unsafe mediatoken_result_new(&result) == MEDIATOKEN_OK else {
      return (MEDIATOKEN_UNDECIDED, MEDIATOKEN_USE_NONE)
    }
    defer { unsafe mediatoken_result_free(result) }
    let code = unsafe ask(token, "sports", resource, requestID ?? "", flags, result)
    guard unsafe mediatoken_result_code(result) == code else { return (MEDIATOKEN_UNDECIDED, MEDIATOKEN_USE_NONE) }
    return (code, unsafe mediatoken_result_use(result))
  }

  private func ask(
    _ token: String, _ requestor: String, _ given: RequestedResource, _ requestID: String, _ flags: UInt32,
    _ result: OpaquePointer?
  ) -> mediatoken_code {
    // SAFETY: the texts live until the call returns.
    unsafe token.withCString { token in
      unsafe requestor.withCString { requestor in
        unsafe given.text.withCString { resource in
          unsafe requestID.withCString { requestID in
            var request = unsafe mediatoken_request()
            unsafe request.size = MemoryLayout<mediatoken_request>.size
            unsafe request.flags = flags
            unsafe request.token = mediatoken_text(bytes: token, length: strlen(token))
            unsafe request.requestor = mediatoken_text(bytes: requestor, length: strlen(requestor))
            if !given.text.isEmpty {
              unsafe request.resource = mediatoken_text(bytes: resource, length: strlen(resource))
            }
            unsafe request.resource_match = given.match
            unsafe request.reserved = given.reserved
            if let size = given.size { unsafe request.size = size }
            if unsafe strlen(requestID) > 0 {
              unsafe request.request_id = mediatoken_text(bytes: requestID, length: strlen(requestID))
            }
            return unsafe mediatoken_verify(verifier, &request, result)
          }
        }
      }
    }
  }
}

/// What a request says about the resource.
struct RequestedResource {
  var text = "final"
  var match: UInt32 = 0
  var reserved: UInt32 = 0
  /// How long the struct says that it is; nil: as long as it is.
  var size: Int?
}
