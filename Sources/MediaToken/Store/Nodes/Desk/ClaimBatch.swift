/// Claims that are sent to every node in one piece.
package struct ClaimBatch: Sendable, Hashable {
  /// One claim, as a node sees it: 16 bytes of the identity's hash and nothing else of the token.
  package struct Claim: Sendable, Hashable {
    /// The first 16 bytes of the replay identity, eight to a word, the first one lowest.
    package let identity: IdentityPrefix
    /// ⌊issueTime / 1 s⌋: the bucket.
    let issueSecond: Int64
    /// The ballot to be written there.
    package let ballot: Ballot

    package init(_ identity: TokenIdentity, issueTime: Instant, ballot: Ballot) {
      let words = identity.digest.littleEndianWords
      self.identity = IdentityPrefix(first: words.0, second: words.1)
      issueSecond = issueTime.millisecondsSinceEpoch.flooredDivision(by: 1000).quotient
      self.ballot = ballot
    }

    /// For questions that claim nothing.
    init(identity: IdentityPrefix, issueSecond: Int64) {
      (self.identity, self.issueSecond) = (identity, issueSecond)
      ballot = Ballot(Ballot.ID(0, 0), second: 0)
    }
  }

  /// 16 bytes, eight to a word, the first one lowest.
  package struct IdentityPrefix: Sendable, Hashable {
    package let first: UInt64
    package let second: UInt64
  }

  static let mostClaims = 64

  /// In the order in which they are answered.
  package private(set) var claims: [Claim] = []

  package init() {}

  package var isFull: Bool { claims.count >= Self.mostClaims }

  /// The batch must not be full.
  package mutating func add(_ claim: Claim) {
    precondition(!isFull, "a batch has \(Self.mostClaims) claims at most")
    claims.append(claim)
  }
}
