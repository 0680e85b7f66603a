internal import MediaToken
internal import MediaTokenHTTP
internal import MediaTokenSystem

/// What asks: they read a question, and write an outcome, in their own ways.
enum Endpoint: String, Sendable {
  case verify
  case auth
}

/// A question about a token that was read, and all that its answer needs: now, or when the replay memory has answered.
struct AskedToken {
  let name: RequestName
  let peer: Peer
  let endpoint: Endpoint
  let trace: TraceContext
  let ticket: Ticket
  let requestor: ExpectedRequestor
  /// Nil: a used token is exchanged for nothing.
  let handover: Handover?
  /// The state at the request's arrival: a reload changes nothing for it.
  let state: ServingState
  /// The start of its verification, in ``MonotonicTime``.
  let start = MonotonicTime.now

  /// `expectation` nil: it is not known what to expect.
  init(
    _ request: borrowing Request, _ name: RequestName, at endpoint: Endpoint, _ expectation: Expectation?,
    _ state: ServingState
  ) {
    (self.name, peer, self.endpoint, trace) = (name, request.peer, endpoint, request.trace)
    (ticket, self.state) = (request.ticket, state)
    (requestor, handover) = (expectation?.requestor ?? .anyRequestor, expectation?.handover)
  }

  /// The caller's request, where callers may repeat themselves: the kernel must know the caller.
  var useRequest: UseRequest? {
    guard state.hasRetries, let given = name.given, case .process(let uid, _, _, _) = peer, UserNamespace.isOne(uid)
    else { return nil }
    return UseRequest(id: given, callerUID: uid)
  }
}
