@testable import MediaToken

/// A genuine token for tests of one step, and what is needed to verify it.
struct GenuineToken {
  let vector: Vector
  let keys: TrustedKeys

  init(_ name: String = "shared/armor-raw.token") throws {
    vector = try VectorFiles.named(name)
    keys = try VectorFiles.verifier(for: vector).trustedKeys
  }

  func verifier(policy: Policy = .standard, replayMemory: any Store = .none) throws -> TokenPath {
    try TokenPath(trustedKeys: keys, policy: policy, replayMemory: replayMemory)
  }
}

extension Refusal {
  /// The rule that was broken, or nil for a fault.
  var reason: Reason? {
    if case .rejected(let rejection) = self { rejection.reason } else { nil }
  }
}

/// What a call threw, or nil if it returned.
func refusal<Value: ~Copyable>(_ body: () throws(Refusal) -> Value) -> Refusal? {
  do throws(Refusal) {
    _ = try body()
    return nil
  } catch {
    return error
  }
}

extension Span<UInt8> {
  var array: [UInt8] { indices.map { self[$0] } }
}
