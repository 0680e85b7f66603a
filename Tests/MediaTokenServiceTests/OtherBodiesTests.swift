import MediaTokenSystem
import Testing

@testable import MediaTokenService

/// Bodies that hold no token as `/v1/verify` takes it: the error names what they are, and nothing is spent.
@Suite struct OtherBodiesTests {
  private let (service, token): (ServiceFixture, [UInt8])

  init() throws { (service, token) = (try ServiceFixture(), try ServiceFixture.token(form: .base64)) }

  private func ask(_ fields: [(String, String)], _ body: [UInt8]) -> Answered {
    service.ask("POST", "/v1/verify?requestor=REF30&resource=TNT", fields, body)
  }

  @Test(arguments: [["gzip"], ["br"], ["gzip, identity"], ["identity", "identity"], [""]])
  func compressedBodyIsNoVerdict(encodings: [String]) {
    let fields = [("Content-Type", "text/plain")] + encodings.map { ("Content-Encoding", $0) }
    let answer = ask(fields, [0x1F, 0x8B, 0x08])
    #expect(answer.status == 415 && answer.has("error", "media-type") && answer.body.contains("Content-Encoding"))
    #expect(!answer.body.contains("verdict") && !answer.body.contains("action"))
    #expect(ask([("Content-Encoding", "Identity")], token).status == 200)
  }

  @Test(arguments: [
    (#" "TOKEN""#, "found a JSON string; a body that is the bare token needs Content-Type: text/plain"),
    (#"[{"token":"TOKEN"}]"#, "found an array; send one object for each token"),
    ("TOKEN", "needs Content-Type: text/plain"), ("", "found an empty body"),
    (
      #"{"requestor":"REF30","serializedToken":"TOKEN"}"#,
      "answer of REST API v1: send the value of its member serializedToken"
    ),
    (
      #"{"decisions":[{"token":{"serializedToken":"TOKEN"}}]}"#,
      "answer of REST API v2: send it as the value of the member decision"
    ),
    (
      #"{"token":"{\"serializedToken\":\"TOKEN\"}"}"#,
      "the value of token is a JSON object, and no token; it is an answer of REST API v1"
    ),
    (
      #"{"token":"{\"decisions\":[]}"}"#,
      "the value of token is a JSON object, and no token; it is an answer of REST API v2"
    ),
    (#"{"token":"{}"}"#, "the value of token is a JSON object, and no token"),
  ])
  func jsonThatIsNoQuestionIsNamed(body: String, sentence: String) {
    let body = body.replacing("TOKEN", with: String(decoding: token, as: UTF8.self))
    let answer = ask([("Content-Type", "application/json")], Array(body.utf8))
    #expect(answer.status == 400 && answer.has("error", "bad-body"))
    #expect(answer.body.contains(sentence), "\(answer.body)")
    #expect(ask([], token).status == 200)
  }

  @Test(arguments: ["X-Media-Token", "Authorization"])
  func tokenInAHeaderIsToBeInTheBody(name: String) {
    let field = (name, String(decoding: token, as: UTF8.self))
    let answer = ask([field], [])
    #expect(answer.status == 400 && answer.has("error", "bad-body") && answer.body.contains("not in a header"))
    #expect(ask([field], token).status == 200)
  }
}
