internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// A question as a JSON object: a token, or a decision of Adobe Pass in which there may be one.
extension Handler {
  /// Of the bytes outside of strings a decision of Adobe's has 150. A tree of more values than this bound lets through
  /// would keep a worker for longer than a verification.
  private static let decision = FlatJSONObject.Tree(
    "decision", levels: DecisionDocument.mostLevels, punctuation: 8192)

  private static let members = Question.Parameter.all.map(\.description)

  /// The decision document, if there is one in place of a token.
  static func readJSON(
    _ body: Span<UInt8>, into scratch: inout Scratch
  ) throws(RequestError) -> DecisionDocument? {
    let object: FlatJSONObject
    do throws(JSONError) {
      object = try FlatJSONObject(parsing: body, members: members, tree: decision)
    } catch {
      guard !error.isOutOfMemory else { throw .undecided(.outOfMemory) }
      throw error.isInside("decision", of: body)
        ? .decision(DecisionDocument.broken(error)) : .body(sentence(error, of: body))
    }
    switch (object.has("token"), object.has("decision")) {
    case (false, false): throw .body("the JSON object has no token, and no decision in its place")
    case (true, true): throw .body("the JSON object has a token and a decision; send one of them")
    default: break
    }
    if let token = object["token"], first(of: token) == UInt8(ascii: "{") {
      throw .body("the value of token is a JSON object, and no token" + (answerCure(token) ?? ""))
    }
    for parameter in Question.Parameter.all {
      try note(object[parameter.description], parameter, &scratch.question)
    }
    guard let document = object.value(of: decision) else { return nil }
    return try rethrow(DecisionDocument(document), as: RequestError.ofDecision)
  }

  /// The error of a body, with the expected and the found form.
  private static func sentence(_ error: JSONError, of body: Span<UInt8>) -> String {
    let expected = "expected a JSON object with the member token, found"
    switch (first(of: body), error.flaw) {
    case (UInt8(ascii: "\""), _): return "\(expected) a JSON string\(ofABareToken)"
    case (UInt8(ascii: "["), _): return "\(expected) an array; send one object for each token"
    case (UInt8(ascii: "{"), .unknown): return error.description + (answerCure(body) ?? "")
    case (UInt8(ascii: "{"), _): return error.description
    case (nil, _): return "\(expected) an empty body"
    default: return "\(expected) other text: \(error.description)\(ofABareToken)"
    }
  }

  /// The part to send of an answer of Adobe Pass; nil for any other text.
  private static func answerCure(_ text: Span<UInt8>) -> String? {
    guard text.count <= DecisionDocument.mostBytes,
      let json = try? JSONTree(parsing: text, levels: DecisionDocument.mostLevels)
    else { return nil }
    if json["decisions"] != nil {
      return "; it is an answer of REST API v2: send it as the value of the member decision"
    }
    guard json["serializedToken"] != nil else { return nil }
    return "; it is an answer of REST API v1: send the value of its member serializedToken as the token"
  }

  /// Nil if all is white space.
  private static func first(of text: Span<UInt8>) -> UInt8? {
    for index in text.indices where !" \t\r\n".utf8.contains(text[index]) { return text[index] }
    return nil
  }

  /// Takes the token out of the decision that is meant. No token is spent if it throws: 400 if there is not exactly
  /// one, 403 if it has no token, 503 for a fault.
  static func choose(
    from document: DecisionDocument, _ expectation: Expectation, _ question: inout Question
  ) throws(RequestError) {
    let resource = try meant(by: question, expectation)
    switch try rethrow(document.answer(for: resource), as: RequestError.ofDecision) {
    case .token(let text, _): question.take(token: text.utf8Span.span)
    case .noToken(let noToken): throw .noTokenInDecision(noToken)
    }
  }

  /// The resource of the decision that is meant. A resource that is not served is looked for as well, so that a good
  /// token for it has the same verdict as without a decision.
  private static func meant(
    by question: borrowing Question, _ expectation: Expectation
  ) throws(RequestError) -> ExpectedResource {
    guard case .noMatch = expectation.resource else { return expectation.resource }
    guard question.resource.isGiven else { return .anyResource }
    do throws(RequestError) {
      return try question.resource.expected()
    } catch .undecided(let fault) {
      throw .undecided(fault)
    } catch {
      return .anyResource
    }
  }
}

extension RequestError {
  /// The decision does not say which token is to be verified, or could not be read.
  static func ofDecision(_ problem: Problem) -> RequestError {
    problem.fault.map { .undecided($0) } ?? .decision(problem)
  }
}
