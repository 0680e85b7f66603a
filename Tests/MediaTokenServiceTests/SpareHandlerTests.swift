import MediaToken
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// What is answered while no worker can.
@Suite struct SpareHandlerTests {
  private let service: ServiceFixture
  private let token: [UInt8]

  init() throws {
    service = try ServiceFixture()
    token = try ServiceFixture.token()
  }

  private func spare(keepsTCP: Bool = true) -> Handler {
    Handler(service.handler.service, isSpare: true, keepsTCP: keepsTCP)
  }

  private func verify(_ token: [UInt8]) -> Answered {
    Answered(response: spare().answer("POST", "/v1/verify?requestor=REF30&resource=TNT", [], token))
  }

  @Test func genuineTokenIsUndecidedAndUnspent() throws {
    let answer = verify(token)
    #expect(answer.status == 503 && answer.has("fault", "REPLAY_MEMORY_UNAVAILABLE"))
    #expect(answer.response.endsConnection)
    #expect(service.verify(token).status == 200)
    #expect(verify(token).status == 503, "nor does it tell a used one")
  }

  @Test func tokenThatIsRefusedWithoutTheMemoryIsRefused() throws {
    #expect(verify(try ServiceFixture.token(resource: "TBS")).has("verdict", "INVALID_RESOURCE_ID"))
  }

  @Test func healthIsAnsweredAndStaysOnlyOverTCP() {
    for (peer, keepsTCP, ends) in [
      (Peer.tcp, true, false), (.tcp, false, true), (.process(uid: 1, gid: 1, pid: 1), true, true),
    ] {
      let response = spare(keepsTCP: keepsTCP).answer("GET", "/livez", from: peer)
      #expect(response.status == 200 && response.endsConnection == ends)
    }
  }
}
