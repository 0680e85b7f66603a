internal import CMediaToken
internal import MediaToken
internal import MediaTokenSystem

/// A `mediatoken_request` without the token's own bytes.
struct GivenRequest {
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  let now: Instant
  let request: UseRequest?
  /// False if the token is only verified.
  let isSpent: Bool

  /// The struct's sizes in bytes before resources could be documents.
  static let formerSizes = [88]

  private static let knownFlags = UInt32(
    MEDIATOKEN_ANY_REQUESTOR | MEDIATOKEN_ANY_RESOURCE | MEDIATOKEN_DO_NOT_SPEND)

  /// Missing values and contradictions are bad arguments. Nothing that decides who may watch is ever guessed.
  init(_ given: mediatoken_request, for state: VerifierState) throws(Failure) {
    let flags = unsafe given.flags
    guard flags & ~Self.knownFlags == 0 else {
      throw .badArgument("expected MEDIATOKEN_ANY_... and MEDIATOKEN_DO_NOT_SPEND in flags, found \(flags)")
    }
    isSpent = flags & UInt32(MEDIATOKEN_DO_NOT_SPEND) == 0
    if flags & UInt32(MEDIATOKEN_ANY_REQUESTOR) == 0 {
      requestor = .exactly(try unsafe GivenText.text(given.requestor, "requestor"))
    } else {
      guard unsafe GivenText.isAbsent(given.requestor) else { throw Self.contradiction("requestor") }
      requestor = .anyRequestor
    }
    if flags & UInt32(MEDIATOKEN_ANY_RESOURCE) == 0 {
      resource = try unsafe Self.resource(given.resource, given.resource_match)
    } else {
      guard unsafe GivenText.isAbsent(given.resource), unsafe given.resource_match == 0 else {
        throw Self.contradiction("resource")
      }
      resource = .anyResource
    }
    guard unsafe given.reserved == 0 else { throw .badArgument("reserved is not 0") }
    now = try unsafe Self.instant(given.now_ms, isEnforced: state.isEnforced)
    request = try unsafe Self.request(given, hasRetryWindow: state.hasRetryWindow)
  }

  private static func resource(_ text: mediatoken_text, _ match: UInt32) throws(Failure) -> ExpectedResource {
    let text = try unsafe GivenText.text(text, "resource")
    if match == UInt32(MEDIATOKEN_RESOURCE_EXACT) { return .exactly(text) }
    return try document(text, match)
  }

  private static func document(_ text: String, _ match: UInt32) throws(Failure) -> ExpectedResource {
    let form: ResourceForm
    switch match {
    case UInt32(MEDIATOKEN_RESOURCE_DOCUMENT): form = .document
    case UInt32(MEDIATOKEN_RESOURCE_CHANNEL): form = .channel
    default: throw .badArgument("expected MEDIATOKEN_RESOURCE_... in resource_match, found \(match)")
    }
    return try rethrow(ExpectedResource(ExactText(text), as: form)) { (error: ResourceDocumentError) in
      error.fault.map { Failure($0) } ?? .badArgument("resource is not what resource_match says: \(error)")
    }
  }

  private static func contradiction(_ name: StaticString) -> Failure {
    .badArgument("both \(name) and its MEDIATOKEN_ANY_... flag are given")
  }

  private static func instant(_ milliseconds: Int64, isEnforced: Bool) throws(Failure) -> Instant {
    guard milliseconds == 0 else {
      guard !isEnforced else {
        throw .badArgument(
          "now_ms is not 0, but a shared replay memory goes by the kernel's clock alone")
      }
      return Instant(millisecondsSinceEpoch: milliseconds)
    }
    let now = try rethrow(RealTime.now()) { (_: SystemError) in Failure(.internalFault) }
    return Instant(millisecondsSinceEpoch: now)
  }

  private static func request(_ given: mediatoken_request, hasRetryWindow: Bool) throws(Failure) -> UseRequest? {
    if unsafe GivenText.isAbsent(given.request_id) {
      guard unsafe given.caller_uid == 0 else {
        throw .badArgument("caller_uid is given without request_id")
      }
      return nil
    }
    let id = try unsafe GivenText.text(given.request_id, "request_id")
    guard hasRetryWindow else {
      throw .badArgument("request_id is given, but the policy has no retry_window_ms of a second or more")
    }
    return UseRequest(id: id, callerUID: unsafe given.caller_uid)
  }
}
