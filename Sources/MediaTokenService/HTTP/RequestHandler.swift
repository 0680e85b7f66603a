/// What answers requests. The server calls it on its worker threads, several at once.
protocol RequestHandler: Sendable {
  /// What is to be done with the body of a request whose head is here. Not called for requests without one.
  func bodyRule(for request: borrowing HTTPRequest) -> BodyRule

  /// Answers a request that is whole and was sent in order.
  func answer(_ request: borrowing HTTPRequest, with response: inout HTTPResponse)

  /// Writes the answer to a request that the server refuses by itself: broken HTTP, too large, too late.
  func refuse(_ refusal: HTTPRefusal, with response: inout HTTPResponse)

  /// An answer has left this process, or could not: its client was gone.
  func answered(_ response: borrowing HTTPResponse, delivered: Bool)
}

/// What is to be done with a request's body.
enum BodyRule: Hashable, Sendable {
  /// It is collected; one byte more than this is 413.
  case collect(atMost: Int)
  /// It is read and forgotten, up to the server's bound.
  case discard
}

/// Why a request is answered without being looked at.
enum HTTPRefusal: Sendable {
  /// 400: what the head says can be read in two ways, or not at all.
  case malformed(StaticString)
  /// 408: the request was not whole by its deadline.
  case late
  /// 411: a POST must say how long it is.
  case lengthRequired
  /// 413: the body is longer than the endpoint takes.
  case bodyTooLarge(limit: Int)
  /// 431: the head is longer than the server takes.
  case headTooLarge(limit: Int)
}
