// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken
internal import MediaTokenSystem

// Verifiers: see mediatoken.h.

@c @implementation
public func mediatoken_verifier_new(
  _ verifier: UnsafeMutablePointer<OpaquePointer?>?, _ keys: OpaquePointer?,
  _ policy: UnsafePointer<mediatoken_policy>?, _ replay: UnsafePointer<CChar>?, _ replayLength: Int,
  _ message: UnsafeMutablePointer<CChar>?, _ messageSize: Int
) -> mediatoken_code {
  unsafe verifier?.pointee = nil
  return unsafe answer(message, messageSize) { () throws(Failure) in
    guard let verifier = unsafe verifier else {
      throw .badArgument("the pointer for the verifier is NULL")
    }
    let choices = try unsafe PolicyChoices(policy)
    let replay = try unsafe GivenText.text(replay, replayLength, "replay")
    let trusted = try unsafe keySet(keys).trusted()
    unsafe verifier.pointee = Handle.giving(try VerifierState(trusted, choices, replay))
  }
}

@c @implementation
public func mediatoken_verifier_free(_ verifier: OpaquePointer?) {
  unsafe Handle.free(verifier, VerifierState.self)
}

@c @implementation
public func mediatoken_verifier_set_keys(
  _ verifier: OpaquePointer?, _ keys: OpaquePointer?, _ message: UnsafeMutablePointer<CChar>?, _ messageSize: Int
) -> mediatoken_code {
  unsafe answer(message, messageSize) { () throws(Failure) in
    let state = try unsafe verifierState(verifier)
    try state.setKeys(try unsafe keySet(keys).trusted())
  }
}

@c @implementation
public func mediatoken_verifier_after_fork(
  _ verifier: OpaquePointer?, _ message: UnsafeMutablePointer<CChar>?, _ messageSize: Int
) -> mediatoken_code {
  unsafe answer(message, messageSize) { () throws(Failure) in try unsafe verifierState(verifier).afterFork() }
}

private func verifierState(_ verifier: OpaquePointer?) throws(Failure) -> VerifierState {
  guard let state = unsafe Handle.object(verifier, VerifierState.self) else {
    throw .badArgument("the verifier is NULL")
  }
  return state
}
