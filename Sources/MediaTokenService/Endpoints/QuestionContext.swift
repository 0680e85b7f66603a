internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Who asks, by which endpoint, and what the request is called.
struct QuestionContext {
  let name: RequestName
  let peer: Peer
  let endpoint: Endpoint
  /// Which trace the request is part of.
  let trace: TraceContext

  /// Which request of which caller this is, where callers may repeat themselves: the kernel must know who asks.
  func useRequest(in state: ServingState) -> UseRequest? {
    guard state.hasRetries, let given = name.given,
      case .process(let uid, _, _, _) = peer, UserNamespace.isOne(uid)
    else { return nil }
    return UseRequest(id: given, callerUID: uid)
  }
}
