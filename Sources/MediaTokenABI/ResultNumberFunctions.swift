// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken

// The numbers of a result: see mediatoken.h.

@c @implementation
public func mediatoken_result_issue_time_ms(
  _ result: OpaquePointer?, _ value: UnsafeMutablePointer<Int64>?
) -> mediatoken_code {
  unsafe number(of: result, value) { $0.issueTime.millisecondsSinceEpoch }
}

@c @implementation
public func mediatoken_result_ttl_ms(
  _ result: OpaquePointer?, _ value: UnsafeMutablePointer<Int64>?
) -> mediatoken_code {
  unsafe number(of: result, value) { $0.ttlMilliseconds }
}

@c @implementation
public func mediatoken_result_expires_at_ms(
  _ result: OpaquePointer?, _ value: UnsafeMutablePointer<Int64>?
) -> mediatoken_code {
  unsafe number(of: result, value) { $0.expiresAt.millisecondsSinceEpoch }
}

@c @implementation
public func mediatoken_result_use(_ result: OpaquePointer?) -> mediatoken_use {
  unsafe Handle.object(result, ResultState.self)?.use ?? MEDIATOKEN_USE_NONE
}

@c @implementation
public func mediatoken_result_unknown_field_count(_ result: OpaquePointer?) -> Int {
  unsafe token(of: result)?.unknownFields.count ?? 0
}

private func number(
  of result: OpaquePointer?, _ value: UnsafeMutablePointer<Int64>?, _ number: (VerifiedToken) -> Int64
) -> mediatoken_code {
  guard let value = unsafe value else { return MEDIATOKEN_BAD_ARGUMENT }
  unsafe value.pointee = 0
  guard let state = unsafe Handle.object(result, ResultState.self) else { return MEDIATOKEN_BAD_ARGUMENT }
  guard let token = state.token else { return MEDIATOKEN_NO_VALUE }
  unsafe value.pointee = number(token)
  return MEDIATOKEN_OK
}

private func token(of result: OpaquePointer?) -> VerifiedToken? {
  unsafe Handle.object(result, ResultState.self)?.token
}
