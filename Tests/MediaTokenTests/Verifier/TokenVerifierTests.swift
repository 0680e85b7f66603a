import Foundation
import MediaToken
import MediaTokenIssuer
import MediaTokenTesting
import Synchronization
import Testing

/// The verifier as an application uses it.
@Suite("The verifier of async servers")
struct TokenVerifierTests {
  static let issuer = try! TestIssuer()
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "mediatoken-verifier-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  private func token(
    for resource: String = "TNT", issueTime: UnixTime = .now, lifetime: Duration = .seconds(300)
  ) throws -> String {
    try Self.issuer.token(requestor: "REF30", resource: resource, issueTime: issueTime, lifetime: lifetime)
  }

  private func refusal(_ verifier: TokenVerifier, _ text: String) async -> Refusal? {
    do throws(Refusal) {
      _ = try await verifier.verify(text, requestor: "REF30", resource: "TNT")
      return nil
    } catch {
      return error
    }
  }

  private func reason(_ verifier: TokenVerifier, _ text: String) async -> Refusal.Reason? {
    if case .rejected(let rejection)? = await refusal(verifier, text) { rejection.reason } else { nil }
  }

  @Test func `a table that is made when it is missing lets a token play once`() async throws {
    let table = folder.appending(path: "replay.table").path
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .shared(table, capacity: 1000))
    // A new table vouches for tokens that are issued a little later than now.
    let token = try token()
    #expect(await reason(verifier, token) == .predatesReplayMemory)
    guard case .warming = verifier.replayMemoryCondition else {
      Issue.record("expected a warming table, found \(verifier.replayMemoryCondition)")
      return
    }
    let other = try TokenVerifier(keys: Self.issuer.keys, oneUse: .shared(table))
    #expect(await reason(other, token) == .predatesReplayMemory)
  }

  @Test func `a memory of the application's own lets a token play once`() async throws {
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .custom(InMemoryReplayMemory()))
    let token = try token()
    let valid = try await verifier.verify(token, requestor: "REF30", resource: "TNT")
    #expect(valid.use == .first)
    #expect(valid.resourceID == "TNT")
    #expect(valid.lifetime == .seconds(300))
    #expect(await reason(verifier, token) == .alreadyUsed)
    // The bytes of a body are the same token.
    await #expect(throws: Refusal.self) {
      try await verifier.verify(Array(token.utf8), requestor: "REF30", resource: "TNT")
    }
  }

  @Test func `a check without use spends nothing`() async throws {
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .custom(InMemoryReplayMemory()))
    let token = try token()
    let checked = try verifier.verifyWithoutUse(token, requestor: "REF30", resource: "TNT")
    let valid = try await verifier.verify(token, requestor: "REF30", resource: "TNT")
    #expect(checked.identity == valid.identity)
  }

  @Test func `a fault of the memory is no verdict`() async throws {
    let memory = InMemoryReplayMemory()
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .custom(memory))
    await memory.fail(.replayMemoryUnavailable)
    let token = try token()
    #expect(await refusal(verifier, token) == .undecided(.replayMemoryUnavailable))
    await memory.fail(nil)
    #expect(await refusal(verifier, token) == nil)
  }

  @Test func `a test's clock decides whether a token is alive`() async throws {
    let clock = ManualClock()
    let verifier = try TokenVerifier(
      keys: Self.issuer.keys, oneUse: .notEnforced, clock: clock.verifierClock)
    let token = try token(issueTime: clock.now, lifetime: .seconds(60))
    #expect(await refusal(verifier, token) == nil)
    clock.advance(by: .seconds(61))
    #expect(await reason(verifier, token) == .expired)
    clock.advance(by: .seconds(-3600))
    #expect(await reason(verifier, token) == .issuedInFuture)
  }

  @Test func `everything that is wrong is named at once, with its cure`() throws {
    do throws(SetupError) {
      _ = try TokenVerifier(keys: "/nonexistent/keys", oneUse: .shared(folder.appending(path: "none").path))
      Issue.record("expected an error")
    } catch {
      #expect(error.problems.map(\.subject) == ["keys", "oneUse"])
      #expect(error.problems[0].fact.hasPrefix("/nonexistent/keys: cannot be opened"))
      #expect(error.problems[1].cure == "make a table with mediatoken replay create --table PATH --capacity N")
      #expect(error.description.split(separator: "\n").count == 2)
    }
    let shared = #expect(throws: SetupError.self) {
      try TokenVerifier(
        keys: Self.issuer.keys, oneUse: .shared("/nonexistent/table"), clock: ManualClock().verifierClock)
    }
    #expect(shared?.problems.map(\.subject) == ["clock"])
    let fleet = #expect(throws: SetupError.self) {
      try TokenVerifier(keys: Self.issuer.keys, oneUse: .fleet("redis:prod@a,b"))
    }
    #expect(fleet?.problems.map(\.subject) == ["oneUse"])
    let grace = #expect(throws: SetupError.self) {
      try TokenVerifier(keys: Self.issuer.keys, oneUse: .fleet("redis:prod@a:1", grace: .seconds(45)))
    }
    #expect(grace?.problems.map(\.cure) == ["leave it out with redis:"])
    // An operator's word for "not enforced" must not pass as a fleet.
    for address in ["none:", "shared:\(folder.appending(path: "new").path)?capacity=100"] {
      let other = #expect(throws: SetupError.self) {
        try TokenVerifier(keys: Self.issuer.keys, oneUse: .fleet(address))
      }
      let fact = "expected the address of a fleet, \(FleetAddress.forms), found another one"
      #expect(other?.problems.map(\.fact) == [fact])
    }
    for path in ["", "a\u{0}b"] {
      #expect(throws: SetupError.self) {
        try TokenVerifier(keys: Self.issuer.keys, oneUse: .shared(path, capacity: 100))
      }
    }
    // A path is a path, whatever is in it.
    let odd = folder.appending(path: "odd?capacity=1").path
    _ = try TokenVerifier(keys: Self.issuer.keys, oneUse: .shared(odd, capacity: 100))
    #expect(FileManager.default.fileExists(atPath: odd))
    let policy = #expect(throws: SetupError.self) { try TokenPolicy(maxLifetime: .seconds(-1)) }
    #expect(policy?.problems.map(\.subject) == ["policy"])
  }

  @Test func `the development key is refused, and consent is asked for in the words of the library`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let development = try String(contentsOf: root.appending(path: "keys/development.pem"), encoding: .utf8)
    let error = #expect(throws: SetupError.self) {
      try TokenVerifier(keys: .pem(development), oneUse: .notEnforced)
    }
    #expect(error?.problems.first?.fact.contains("the development key") == true)
    let text = try DevelopmentKeyPair.generateWeak1024BitsForTests().publicKeyPEM()
    let refused = #expect(throws: SetupError.self) { try TokenVerifier(keys: .pem(text), oneUse: .notEnforced) }
    let cure = try #require(refused?.problems.first?.cure)
    let consent = try #require(cure.firstRange(of: "consent: [\"").map { cure[$0.upperBound...].prefix(64) })
    let fingerprint = try #require(Fingerprint(hexadecimal: String(consent)))
    let verifier = try TokenVerifier(keys: .pem(text), consent: [fingerprint], oneUse: .notEnforced)
    #expect(verifier.fingerprints == [fingerprint])
  }

  @Test func `a task that is cancelled before it claims spends nothing`() async throws {
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .custom(InMemoryReplayMemory()))
    // Longer than the task may have to wait for its turn among all other tests.
    let token = try token(lifetime: .seconds(3600))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return await refusal(verifier, token)
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(Refusal.cancelled.answer.httpStatus == 503)
    #expect(await refusal(verifier, token) == nil)
  }

  @Test func `a task that is cancelled while a memory of one's own is asked plays nothing`() async throws {
    /// It answers when its task is cancelled, and grants then.
    final class Slow: AsyncReplayMemory {
      let isAsked = Atomic(false)
      func spend(_ claim: UseClaim) async throws(Refusal.Fault) -> UseOutcome {
        isAsked.store(true, ordering: .relaxed)
        while !Task.isCancelled { await Task.yield() }
        return .firstUse
      }
    }
    let memory = Slow()
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .custom(memory))
    let token = try token(lifetime: .seconds(3600))
    let task = Task { await refusal(verifier, token) }
    while !memory.isAsked.load(ordering: .relaxed) { await Task.yield() }
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test @MainActor func `verifying does not leave the caller's executor`() async throws {
    let events = Events()
    let verifier = try TokenVerifier(keys: Self.issuer.keys, oneUse: .notEnforced) { event in
      MainActor.assertIsolated()
      events.add(event)
    }
    _ = try await verifier.verify(token(), requestor: "REF30", resource: "TNT")
    await #expect(throws: Refusal.self) { @MainActor in
      try await verifier.verify("no token", requestor: "REF30", resource: "TNT")
    }
    #expect(events.names == ["accepted", "refused"])
  }

  @Test func `keys are read again when their file changes, and kept when it can't be used`() async throws {
    let file = folder.appending(path: "key.pem")
    let (first, second) = (try TestIssuer(), try TestIssuer())
    try first.publicKeyPEM.write(to: file, atomically: true, encoding: .utf8)
    let events = Events()
    let verifier = try TokenVerifier(keys: .files(file.path), oneUse: .notEnforced) { events.add($0) }
    let before = verifier.fingerprints
    let care = Task { try await verifier.run() }
    try second.publicKeyPEM.write(to: file, atomically: true, encoding: .utf8)
    try await events.wait(for: "keysReplaced")
    #expect(verifier.fingerprints != before)
    let trusted = verifier.fingerprints
    let token = try second.token(requestor: "REF30", resource: "TNT")
    #expect(await refusal(verifier, token) == nil)
    try "no key".write(to: file, atomically: true, encoding: .utf8)
    try await events.wait(for: "keysKept")
    #expect(verifier.fingerprints == trusted)
    try verifier.replaceKeys(with: first.keys)
    #expect(verifier.fingerprints == before)
    care.cancel()
    // It returns: nothing is thrown at the end.
    try await care.value
  }
}

/// What an observer was told.
final class Events: @unchecked Sendable {
  // SAFETY: the lock guards it.
  private var told: [String] = []
  private let lock = NSLock()

  func add(_ event: VerifierEvent) {
    let name =
      switch event {
      case .accepted: "accepted"
      case .refused: "refused"
      case .keysReplaced: "keysReplaced"
      case .keysKept: "keysKept"
      case .replayMemory: "replayMemory"
      }
    lock.withLock { told.append(name) }
  }

  var names: [String] { lock.withLock { told } }

  func wait(for name: String) async throws {
    for _ in 0..<600 where !names.contains(name) { try await Task.sleep(for: .milliseconds(50)) }
    try #require(names.contains(name))
  }
}
