// What the compiler says where a variable stands and only a literal may: each of these is never called.

extension TokenVerifier {
  @available(
    *, unavailable,
    message: "a path in a variable is given as .files(path), and a fingerprint as Fingerprint(hexadecimal: text)"
  )
  public convenience init<Keys, Consent>(
    keys: Keys, consent: [Consent] = [Fingerprint](), oneUse: OneUse, policy: TokenPolicy = .standard,
    clock: VerifierClock = .system, observer: (@Sendable (VerifierEvent) -> Void)? = nil
  ) throws(SetupError) {
    throw SetupError(fault: .internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  nonisolated(nonsending) public func verify<Received>(
    _ received: Received, requestor: String, resource: String, request: UseRequest? = nil
  ) async throws(Refusal) -> VerifiedToken {
    throw .undecided(.internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  public func verifyWithoutUse(
    _ received: String, requestor: String, resource: String
  ) throws(Refusal) -> NotSpentToken {
    throw .undecided(.internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  nonisolated(nonsending) public func verify<Received>(
    _ received: Received, requestor: String, resource: ExpectedResource, request: UseRequest? = nil
  ) async throws(Refusal) -> VerifiedToken {
    throw .undecided(.internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  public func verifyWithoutUse(
    _ received: String, requestor: String, resource: ExpectedResource
  ) throws(Refusal) -> NotSpentToken {
    throw .undecided(.internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  nonisolated(nonsending) public func verify<Received>(
    _ received: Received, requestor: ExpectedRequestor, resource: String, request: UseRequest? = nil
  ) async throws(Refusal) -> VerifiedToken {
    throw .undecided(.internalFault)
  }

  @available(*, unavailable, message: "a requestor or resource in a variable is given as .exactly(name)")
  public func verifyWithoutUse(
    _ received: String, requestor: ExpectedRequestor, resource: String
  ) throws(Refusal) -> NotSpentToken {
    throw .undecided(.internalFault)
  }
}
