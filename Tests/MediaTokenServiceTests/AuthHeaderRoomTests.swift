import MediaToken
import MediaTokenIssuer
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// A token whose names fit no head of an answer is not spent.
@Suite struct AuthHeaderRoomTests {
  @Test func tooLongAResourceIs503AndNotSpent() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(#""auth": {"tokenHeader": "X-Token", "resourceHeader": "X-Resource"}"#))
    let long = String(repeating: "r", count: AuthHeaderLimits.names)
    let token = try ServiceFixture.token(resource: long)
    let text = String(decoding: token, as: UTF8.self)
    #expect(service.ask("GET", "/v1/auth", [("X-Token", text), ("X-Resource", long)]).status == 503)
    let direct = service.ask(
      "POST", "/v1/verify?requestor=REF30&resource=" + long, [], token)
    #expect(direct.status == 200)
  }

  /// REF30, TNT and the hyphen of an absent provider take nine bytes of the room.
  @Test func aTokenThatFitsNoHeaderIsRefusedBeforeItIsSpent() throws {
    let service = try ServiceFixture(
      ServiceFixture.json(
        #""auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/", "requestor": "REF30", "resource": "TNT"}]}"#
      ))
    let fits = String(repeating: "m", count: AuthHeaderLimits.names - 9)
    let half = String(repeating: "m", count: AuthHeaderLimits.names / 2 - 4)
    let changes: [(inout DevelopmentToken) -> Void] = [
      { $0.mvpdID = fits + "m" }, { ($0.mvpdID, $0.proxyMVPDID) = (half, half + "m") },
      // Three bytes in a header for each of the text's.
      { $0.mvpdID = String(repeating: " ", count: AuthHeaderLimits.names / 3) },
    ]
    for change in changes {
      let token = try ServiceFixture.token(form: .base64, change)
      let field = [("X-Token", String(decoding: token, as: UTF8.self))]
      for method in ["GET", "HEAD"] {
        let answer = service.ask(method, "/v1/auth/live/one", field)
        #expect(answer.status == 503)
        #expect(answer.header("X-Media-Token-Reason") == "header-too-long")
        #expect(answer.header("X-Media-Token-Mvpd") == "-")
      }
      #expect(service.verify(token).status == 200)
    }
    for (mvpd, proxy) in [(fits, nil), (half, half)] {
      let longest = try ServiceFixture.token(form: .base64) { ($0.mvpdID, $0.proxyMVPDID) = (mvpd, proxy) }
      let answer = service.ask("GET", "/v1/auth/live/one", [("X-Token", String(decoding: longest, as: UTF8.self))])
      #expect(answer.status == 200)
      #expect(answer.header("X-Media-Token-Mvpd") == mvpd)
      // What nginx has room for by default.
      var head: [UInt8] = []
      #expect(ResponseHead.append(answer.response, isForHEAD: false, saysKeepAlive: true, to: &head))
      #expect(head.count < 4096 && head.count > AuthHeaderLimits.names)
    }
  }
}
