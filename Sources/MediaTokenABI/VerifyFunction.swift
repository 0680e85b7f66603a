// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken

/// See mediatoken.h.
@c @implementation
public func mediatoken_verify(
  _ verifier: OpaquePointer?, _ request: UnsafePointer<mediatoken_request>?, _ result: OpaquePointer?
) -> mediatoken_code {
  let result = unsafe Handle.object(result, ResultState.self)
  result?.begin()
  return unsafe verify(Handle.object(verifier, VerifierState.self), request, into: result)
}

/// Nothing but the verifier's own success is valid. Every way out puts into the result what it returns.
private func verify(
  _ state: VerifierState?, _ given: UnsafePointer<mediatoken_request>?, into result: ResultState?
) -> mediatoken_code {
  let verifier: TokenPath
  let token: UnsafeBufferPointer<UInt8>
  let question: GivenRequest
  do throws(Failure) {
    guard let state else { throw .badArgument("the verifier is NULL") }
    verifier = try state.path()
    let request = try unsafe GivenStruct.copy(given, "request", formerSizes: GivenRequest.formerSizes)
    unsafe token = try GivenText.token(request.token)
    question = try unsafe GivenRequest(request, for: state)
  } catch {
    result?.end(.failed(error))
    return error.code
  }
  do throws(Refusal) {
    // SAFETY: the bytes are the caller's until we return. They are read once, and what is verified is a copy.
    guard question.isSpent else {
      let notSpent = try unsafe verifier.verifyWithoutSpending(
        token.span, requestor: question.requestor, resource: question.resource, at: question.now)
      result?.end(.notSpent(notSpent))
      return MEDIATOKEN_NOT_SPENT
    }
    let valid = try unsafe verifier.verify(
      token.span, requestor: question.requestor, resource: question.resource, at: question.now,
      request: question.request)
    result?.end(.valid(valid))
    return MEDIATOKEN_VALID_TOKEN
  } catch {
    switch error {
    case .rejected(let rejection): result?.end(.rejected(rejection))
    case .undecided, .cancelled: result?.end(.failed(Failure(error.fault ?? .internalFault)))
    }
    return CodeTable.code(error.answer)
  }
}
