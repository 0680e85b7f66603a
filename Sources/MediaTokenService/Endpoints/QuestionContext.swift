internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// The caller of a request, the endpoint, and the request's name and trace.
struct QuestionContext {
  let name: RequestName
  let peer: Peer
  let endpoint: Endpoint
  let trace: TraceContext

  /// The caller's request, where callers may repeat themselves: the kernel must know the caller.
  func useRequest(in state: ServingState) -> UseRequest? {
    guard state.hasRetries, let given = name.given,
      case .process(let uid, _, _, _) = peer, UserNamespace.isOne(uid)
    else { return nil }
    return UseRequest(id: given, callerUID: uid)
  }
}
