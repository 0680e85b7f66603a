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

/// A question about a token that was read, and all that its answer needs: now, or when the replay memory has answered.
struct AskedToken {
  let question: QuestionContext
  let ticket: Ticket
  let requestor: ExpectedRequestor
  /// Nil: a used token is exchanged for nothing.
  let handover: Handover?
  /// The state at the request's arrival: a reload changes nothing for it.
  let state: ServingState
  /// The start of its verification, in ``MonotonicTime``.
  let start = MonotonicTime.now

  /// `expectation` nil: it is not known what to expect.
  init(_ question: QuestionContext, _ ticket: Ticket, _ expectation: Expectation?, _ state: ServingState) {
    (self.question, self.ticket, self.state) = (question, ticket, state)
    (requestor, handover) = (expectation?.requestor ?? .anyRequestor, expectation?.handover)
  }
}
