internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenHTTP
internal import MediaTokenSystem

extension Handler {
  /// `POST /v1/verify`: one token.
  func verify(
    _ request: borrowing Request, _ scratch: inout Scratch, with response: inout Response
  ) -> Answering {
    do throws(RequestError) {
      let (name, type) = try readHead(of: request, &scratch)
      let expectation: Expectation
      do throws(RequestError) {
        expectation = try readQuestion(request, type, &scratch)
      } catch .undecided(let fault) {
        return fail(fault, AskedToken(request, name, at: .verify, nil, state), with: &response)
      }
      let asked = AskedToken(request, name, at: .verify, expectation, state)
      return scratch.question.hasToken
        ? decide(scratch.question.token.span, expectation, as: asked, with: &response)
        : decide(request.body, expectation, as: asked, with: &response)
    } catch {
      refuse(error, with: &response)
      return .now
    }
  }

  /// Notes the body's parameters besides the head's, and the token where it is not the whole body.
  private func readQuestion(
    _ request: borrowing Request, _ type: MediaType, _ scratch: inout Scratch
  ) throws(RequestError) -> Expectation {
    var decision: DecisionDocument?
    switch type {
    case .form: try Self.read(request.body, mayHaveToken: true, into: &scratch)
    case .json: decision = try Self.readJSON(request.body, into: &scratch)
    case .none, .text, .other:
      guard request.body.isEmpty else { break }
      for header in Self.headersOfTokens where request.fields.find(header.span) != .none {
        throw .body("the body is empty; the token is sent in it here, and not in a header, as at /v1/auth")
      }
    }
    let expectation = try state.expectation(scratch.question, at: .verify)
    if let decision { try Self.choose(from: decision, expectation, &scratch.question) }
    return expectation
  }

  /// The headers in which `/v1/auth` and players have the token.
  private static let headersOfTokens = ["x-media-token", "authorization"].map { Array($0.utf8) }

  /// The type is one that the endpoint takes.
  private func readHead(
    of request: borrowing Request, _ scratch: inout Scratch
  ) throws(RequestError) -> (name: RequestName, type: MediaType) {
    try Self.read(request.query, mayHaveToken: false, into: &scratch)
    let name = try RequestName(request, header: state.requestIDHeader, generatingBy: &requestIDs)
    return (name, try request.fields.bodyType())
  }

  static func read(
    _ text: Span<UInt8>, mayHaveToken: Bool, into scratch: inout Scratch
  ) throws(RequestError) {
    if text.isEmpty {
      guard !mayHaveToken else { throw .body("the form is empty; send token=") }
      return
    }
    try FormText.forEachParameter(of: text, name: &scratch.name, value: &scratch.value) {
      (name, value) throws(RequestError) in
      guard let parameter = Question.Parameter(name.span, mayBeToken: mayHaveToken) else {
        let known = (mayHaveToken ? "token, " : "") + "requestor, resource, resourceDocument and resourceChannel"
        throw .parameter("there is a parameter that is none of \(known)\(mayHaveToken ? Self.ofABareToken : "")")
      }
      try note(value.span, parameter, &scratch.question)
    }
    guard !mayHaveToken || scratch.question.hasToken else {
      throw .parameter("the form has no token\(Self.ofABareToken)")
    }
  }

  static let ofABareToken = "; a body that is the bare token needs Content-Type: text/plain"

  static func note(
    _ value: Span<UInt8>?, _ parameter: Question.Parameter, _ question: inout Question
  ) throws(RequestError) {
    guard let value else { return }
    guard question.set(parameter, value) else {
      throw .parameter(value.isEmpty ? "\(parameter) is empty" : parameter.isRepeated)
    }
  }
}

extension Question.Parameter: CustomStringConvertible {
  /// In a query, a form and a JSON object.
  var description: String {
    switch self {
    case .requestor: "requestor"
    case .token: "token"
    case .resource(.exact): ChoiceNames.resource.member
    case .resource(.document): ChoiceNames.resourceDocument.member
    case .resource(.channel): ChoiceNames.resourceChannel.member
    }
  }

  /// For a second value of its name.
  fileprivate var isRepeated: String {
    switch self {
    case .requestor, .token: "\(self) is given twice; a query and a body count together"
    case .resource:
      "more than one resource is given; give one of resource, resourceDocument and resourceChannel, in the query or in the body"
    }
  }
}

extension Question.Parameter {
  init?(_ name: Span<UInt8>, mayBeToken: Bool) {
    for parameter in Self.all where mayBeToken || parameter != .token {
      guard name.hasSameBytes(as: parameter.description.utf8Span.span) else { continue }
      self = parameter
      return
    }
    return nil
  }
}

extension Response {
  /// `tags` name the account of a valid token, if that is wanted.
  mutating func write(_ outcome: TokenOutcome, _ tags: ViewerTags?, _ name: RequestName) {
    switch outcome {
    case .valid(let token, let handedOver):
      // 200 for a valid token and for nothing else.
      status = UInt16(Verdict.validToken.answer.httpStatus)
      writeObject { writer in
        writer.members(ofValid: token)
        writer.member("retry", token.use == .retry)
        tags?.write(token, to: &writer)
        if let handedOver { writer.member("handover", handedOver.text) }
        name.write(to: &writer)
      }
    case .notSpent, .tooLong: write(Refusal.undecided(.internalFault), name)
    case .refused(let refusal): write(refusal, name)
    }
  }

  mutating func write(_ refusal: Refusal, _ name: RequestName?) {
    status = UInt16(refusal.answer.httpStatus)
    writeObject { writer in
      writer.members(of: refusal)
      name?.write(to: &writer)
    }
  }
}
