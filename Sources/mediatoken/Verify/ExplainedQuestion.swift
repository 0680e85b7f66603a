internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

/// What the inspector of a daemon is asked, and what its answer must be about.
struct ExplainedQuestion {
  let target: String
  let type: String
  let body: [UInt8]
  /// What was asked for; nil: the daemon chooses.
  let requestor: ExactText?
  let resource: ExpectedResource?
  /// Which of the two were said to be any.
  let chosenAny: [String]
  /// The names of what was sent, one of which the answer must be about: of a decision document the daemon knows which is meant.
  let identities: [ExactText]
  let hasDecision: Bool

  init(_ arguments: Arguments) throws(ToolError) {
    let names = try Self.names(arguments)
    requestor = try arguments[ExpectationOptions.requestorID].map { ExactText($0) }
    resource = try ExpectationOptions.resource(arguments)?.value
    chosenAny =
      (arguments.has(ExpectationOptions.anyRequestor) ? ["requestor"] : [])
      + (arguments.has(ExpectationOptions.anyResource) ? ["resource"] : [])
    hasDecision = arguments.has(TokenSource.decision)
    if let path = try arguments[TokenSource.decision] {
      let document = try TokenSource.document(path)
      identities = try TokenSource.tokens(in: document, of: path).compactMap { SentToken.identity(of: $0) }
      var writer = JSONWriter()
      writer.object { object in for (name, text) in names { object.member(name, text) } }
      // As it came, so that the daemon sees a member that is there twice.
      let rest = writer.bytes.dropFirst()
      body = Array(#"{"decision":"#.utf8) + document + (names.isEmpty ? [] : [UInt8(ascii: ",")]) + rest
      (target, type) = (Self.path, "application/json")
      return
    }
    let token = try TokenSource.read(arguments)
    identities = SentToken.identity(of: token).map { [$0] } ?? []
    let question = TokenQuestion(token, names, to: Self.path)
    (target, type, body) = (question.target, question.type, question.body)
  }

  private static let path = "/v1/explain"

  /// What the token must be for, as far as that was said.
  private static func names(_ arguments: Arguments) throws(ToolError) -> TokenQuestion.Names {
    let pairs: [(any CommandOption, any CommandOption)] =
      [(ExpectationOptions.requestorID, ExpectationOptions.anyRequestor)]
      + ExpectationOptions.resources.map { ($0, ExpectationOptions.anyResource) }
    if let both = pairs.first(where: { arguments.has($0.0) && arguments.has($0.1) }) {
      throw arguments.usage("\(both.0.usage) and \(both.1.usage) are both given; give one")
    }
    return TokenQuestion.names(
      arguments, requestor: ExpectationOptions.requestorID, resource: ExpectationOptions.resource,
      document: ExpectationOptions.resourceDocument, channel: ExpectationOptions.resourceChannel)
  }
}
