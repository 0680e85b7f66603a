import MediaTokenSystem
import Testing

@testable import MediaToken

/// What was verified is what is read, even if another thread writes to the caller's memory meanwhile. Here that happens at
/// the worst moment every time: the signed bytes are hashed, and not parsed yet.
@Suite("The caller's memory")
struct CallersMemoryTests {
  /// How the token arrives.
  enum Form: CaseIterable {
    case raw, percent, base64

    func spelling(of token: [UInt8]) -> [UInt8] {
      switch self {
      case .raw: token
      case .percent: token.flatMap { [UInt8(ascii: "%"), Hexadecimal.digit($0 >> 4), Hexadecimal.digit($0 & 15)] }
      case .base64: MediaTokenTests.base64(token)
      }
    }
  }

  /// A caller's buffer. A verifier that is given it as replay memory tells it when the bytes were hashed, and then it
  /// changes.
  @safe private final class ChangingBuffer: Store, @unchecked Sendable {
    // SAFETY: allocated in init, freed in deinit; one thread has it.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private let later: [UInt8]

    init(_ bytes: [UInt8], thenChangingTo later: [UInt8]) {
      precondition(bytes.count == later.count)
      unsafe buffer = .allocate(capacity: bytes.count)
      _ = unsafe buffer.initialize(fromContentsOf: bytes)
      self.later = later
    }

    deinit { unsafe buffer.deallocate() }

    var span: Span<UInt8> { unsafe Span(UnsafeRawBufferPointer(buffer), of: self) }

    func prepare(for identity: TokenIdentity) { _ = unsafe buffer.update(fromContentsOf: later) }

    func spend(_ claim: UseClaim) throws(Fault) -> UseOutcome { .notEnforced }
  }

  @Test(arguments: Form.allCases)
  func aChangeAfterTheHashChangesNothing(_ form: Form) throws {
    let genuine = try GenuineToken()
    let signed = genuine.vector.received
    let text = String(decoding: signed, as: UTF8.self)
    let forged = text.replacing("<resourceID>TNT<", with: "<resourceID>TBS<").replacing(
      ">420000<", with: ">990000<")
    #expect(forged.utf8.count == signed.count)
    let buffer = ChangingBuffer(form.spelling(of: signed), thenChangingTo: form.spelling(of: Array(forged.utf8)))

    let verifier = try genuine.verifier(replayMemory: buffer)
    func verify(_ resource: ExpectedResource) throws(Refusal) -> VerifiedToken {
      try verifier.verify(buffer.span, requestor: .exactly("REF30"), resource: resource, at: genuine.vector.now)
    }
    let token = try verify(.anyResource)
    #expect(token.resourceID == "TNT")
    #expect(token.ttlMilliseconds == 420_000)
    // The change did happen: from now on the buffer has the forged token.
    #expect(refusal { () throws(Refusal) in try verify(.anyResource) }?.reason == .signatureMismatch)
  }
}
