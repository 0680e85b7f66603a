import MediaToken
import MediaTokenIssuer
import Testing

@testable import MediaTokenService

/// `mediatokend --dev`.
@Suite struct DevelopmentModeTests {
  @Test func aFileMayNameNoOtherKey() throws {
    let installation = try Installation()
    let pair = try ServiceFixture.keyPair.get()
    func source(_ pair: DevelopmentKeyPair) throws -> ConfigurationSource {
      let keys = try TrustedKeys(
        parsing: [KeyFile(name: "own.pem", bytes: Array(pair.publicKeyPEM().utf8))], consent: .none)
      return .development(
        DevelopmentMode.Session(
          pair: pair, keys: keys, keyPath: "own.private.pem", file: installation.folder + "/config.json", help: ""))
    }
    let right = try source(pair)
    let configuration = try right.configuration()
    // What the file says holds, except for the memory that others use.
    #expect(configuration.tenants.count == 1 && configuration.replay.address == .none)
    #expect(try right.keys(configuration).keys.map(\.fingerprint) == [pair.fingerprint])
    let wrong = try source(.generate())
    let error = #expect(throws: Problem.self) { try wrong.keys(configuration) }
    #expect(error?.description.contains("--dev trusts only the key whose private half is own.private.pem") == true)
    #expect(throws: Problem.self) { try Daemon(wrong, installation.log) }
  }
}
