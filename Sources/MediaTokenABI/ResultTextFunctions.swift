// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken

// A result and its texts: see mediatoken.h.

@c @implementation
public func mediatoken_result_new(_ result: UnsafeMutablePointer<OpaquePointer?>?) -> mediatoken_code {
  guard let result = unsafe result else { return MEDIATOKEN_BAD_ARGUMENT }
  unsafe result.pointee = Handle.giving(ResultState())
  return MEDIATOKEN_OK
}

@c @implementation
public func mediatoken_result_free(_ result: OpaquePointer?) { unsafe Handle.free(result, ResultState.self) }

@c @implementation
public func mediatoken_result_reset(_ result: OpaquePointer?) {
  unsafe Handle.object(result, ResultState.self)?.end(.undecided)
}

@c @implementation
public func mediatoken_result_code(_ result: OpaquePointer?) -> mediatoken_code {
  unsafe Handle.object(result, ResultState.self)?.code ?? MEDIATOKEN_BAD_ARGUMENT
}

@c @implementation
public func mediatoken_result_reason(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .reason, 0, length) { $0.rejection?.reason.rawValue }
}

@c @implementation
public func mediatoken_result_detail(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .detail, 0, length) { $0.detail }
}

@c @implementation
public func mediatoken_result_action(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .action, 0, length) { $0.next?.action.rawValue }
}

@c @implementation
public func mediatoken_result_adobe_code(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .adobeCode, 0, length) { $0.next?.adobeCode.rawValue }
}

@c @implementation
public func mediatoken_result_identity(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .identity, 0, length) { $0.identity?.description }
}

@c @implementation
public func mediatoken_result_requestor_id(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .requestorID, 0, length) { $0.token?.requestorID.text }
}

@c @implementation
public func mediatoken_result_resource_id(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .resourceID, 0, length) { $0.token?.resourceID.text }
}

@c @implementation
public func mediatoken_result_mvpd_id(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .mvpdID, 0, length) { $0.token?.mvpdID.text }
}

@c @implementation
public func mediatoken_result_proxy_mvpd_id(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .proxyMVPDID, 0, length) { $0.token?.proxyMVPDID?.text }
}

@c @implementation
public func mediatoken_result_session_guid(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .sessionGUID, 0, length) { $0.token?.sessionGUID }
}

@c @implementation
public func mediatoken_result_key_fingerprint(
  _ result: OpaquePointer?, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .keyFingerprint, 0, length) { $0.token?.keyFingerprint.description }
}

@c @implementation
public func mediatoken_result_unknown_field(
  _ result: OpaquePointer?, _ index: Int, _ length: UnsafeMutablePointer<Int>?
) -> UnsafePointer<CChar>? {
  unsafe text(of: result, .unknownFields, index, length) { state in
    guard let names = state.token?.unknownFields, names.indices.contains(index) else { return nil }
    return names[index]
  }
}

private func text(
  of result: OpaquePointer?, _ which: ResultState.Text, _ index: Int, _ length: UnsafeMutablePointer<Int>?,
  _ make: (ResultState) -> String?
) -> UnsafePointer<CChar>? {
  unsafe length?.pointee = 0
  // No token has more fields than this, and places of texts do not wrap around.
  guard (0..<Limits.fields).contains(index) else { return nil }
  return unsafe Handle.object(result, ResultState.self)?.give(which, index, length, make)
}
