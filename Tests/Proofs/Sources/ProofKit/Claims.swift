import Glibc

@testable import MediaToken

/// A token of a proof: two numbers are its name.
public func token(_ number: Int, _ family: Int = 0) -> TokenIdentity {
  // Words that differ only in few bits, as honest hashes never do: the table's own hash must spread them.
  TokenIdentity(digest: SHA256Digest(words: UInt64(number), UInt64(family), 0, 0))
}

/// A claim in whole seconds.
public func claim(
  _ identity: TokenIdentity, issued: Int, life: Int, now: Int, request: UseRequest? = nil
) -> UseClaim {
  UseClaim(
    identity: identity, issueTime: Instant(millisecondsSinceEpoch: Int64(issued) * 1000),
    ttlMilliseconds: Int64(life) * 1000, now: Instant(millisecondsSinceEpoch: Int64(now) * 1000), request: request)
}

/// What came of a claim, as a number that processes can count.
public enum Outcome: Int, CaseIterable, Sendable {
  case first, used, retry, expired, predates, full, unavailable, other

  public init(_ table: SharedReplayTable, _ claim: UseClaim) {
    do throws(Fault) {
      switch try table.spend(claim) {
      case .granted(.first): self = .first
      case .alreadyUsed: self = .used
      case .granted(.retry): self = .retry
      case .expired: self = .expired
      case .predatesMemory: self = .predates
      case .granted(.notEnforced): self = .other
      }
    } catch {
      self = error == .replayMemoryFull ? .full : error == .replayMemoryUnavailable ? .unavailable : .other
    }
  }
}

/// The policy of all proofs: tokens may live for a day.
public let policy: Policy = {
  guard let policy = try? Policy(maxTTLMilliseconds: 86_400_000) else { fail("the policy is refused") }
  return policy
}()

/// Creates a table in which nothing was spent before.
public func createTable(_ path: String, capacity: Int) {
  do throws(Problem) {
    let isNew = try SharedReplayTable.create(
      at: path, capacity: capacity, policy: policy, mode: 0o600, vouchesFor: .allTokens)
    require(isNew, "\(path) exists")
  } catch {
    fail("\(error)")
  }
}

/// Opens a table.
public func openTable(_ path: String, retryWindow seconds: Int = 0) -> SharedReplayTable {
  do throws(Problem) {
    return try SharedReplayTable(opening: path, policy: policy, retryWindowMilliseconds: Int64(seconds) * 1000)
  } catch {
    fail("\(error)")
  }
}

/// The kernel's clock in whole seconds.
public func wallClock() -> Int { time(nil) }

/// Where the identity's entry may be in the table at `path`.
public func place(of identity: TokenIdentity, inTable path: String) -> (first: Int, second: Int) {
  do throws(Problem) {
    guard let file = try TableFile.open(path) else { fail("no table at \(path)") }
    let header = try file.readHeader()
    let place = EntryPlace(
      of: identity, seed: (header[.seedFirst], header[.seedSecond]), buckets: header[.bucketCount])
    return (place.first, place.second)
  } catch {
    fail("\(error)")
  }
}
