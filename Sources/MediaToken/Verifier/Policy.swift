/// Every tolerance, limit and list that a verdict depends on.
///
/// The defaults are those of <doc:TokenFormat>.
public struct TokenPolicy: Sendable, Hashable {
  /// The longest life that is granted; a longer `ttl` counts as this. Default 3,600,000 (one hour).
  ///
  /// - Warning: issue times are mostly whole seconds. With less than 2,000 a genuine token may have expired when it comes.
  package let maxTTLMilliseconds: Int64
  /// The most by which `issueTime` may lie ahead of our clock. Default 60,000 (one minute).
  package let futureToleranceMilliseconds: Int64
  /// The time after its end in which a token is still accepted. Default 0.
  package let expiryToleranceMilliseconds: Int64
  /// The treatment of a signed field whose name we do not know. Default ``UnknownFields/report``.
  public let unknownFields: UnknownFields
  /// The providers that are allowed. Default: all.
  public let mvpds: MVPDList

  /// The treatment of fields that the documents do not name.
  public enum UnknownFields: String, Sendable, Hashable, CaseIterable {
    /// Ignore them, and name them in ``VerifiedToken/unknownFields``.
    case report
    /// Refuse the token.
    case reject
  }

  /// A policy with these values, in whole milliseconds.
  ///
  /// - Parameters:
  ///   - maxLifetime: the longest life that is granted; a longer `ttl` counts as this. 1 ms to one day, by default an hour. Issue times
  ///     are mostly whole seconds: with less than two seconds a genuine token may have expired when it comes.
  ///   - futureTolerance: how far `issueTime` may lie ahead of our clock, up to one day; by default a minute.
  ///   - expiryTolerance: how long after its end a token is still accepted, up to one day; by default not at all.
  ///   - unknownFields: what happens to a signed field whose name is not known; by default it is reported.
  ///   - mvpds: which providers are accepted; by default all.
  /// - Throws: ``SetupError`` for a time that is out of its range.
  public init(
    maxLifetime: Duration = .seconds(3600), futureTolerance: Duration = .seconds(60),
    expiryTolerance: Duration = .zero,
    unknownFields: UnknownFields = .report, mvpds: MVPDList = .all
  ) throws(SetupError) {
    do throws(Problem) {
      try self.init(
        maxTTLMilliseconds: maxLifetime.milliseconds, futureToleranceMilliseconds: futureTolerance.milliseconds,
        expiryToleranceMilliseconds: expiryTolerance.milliseconds, unknownFields: unknownFields, mvpds: mvpds)
    } catch {
      throw SetupError([error.about("policy")])
    }
  }

  /// ``Problem`` is for a time that is negative or longer than ``Limits/policySpanMilliseconds``, and for a longest
  /// life of zero.
  package init(
    maxTTLMilliseconds: Int64 = Policy.standard.maxTTLMilliseconds,
    futureToleranceMilliseconds: Int64 = Policy.standard.futureToleranceMilliseconds,
    expiryToleranceMilliseconds: Int64 = Policy.standard.expiryToleranceMilliseconds,
    unknownFields: UnknownFields = Policy.standard.unknownFields,
    mvpds: MVPDList = Policy.standard.mvpds
  ) throws(Problem) {
    try Setting.maxTTL.check(maxTTLMilliseconds, as: "maxTTL", in: Self.lives)
    try Setting.futureTolerance.check(futureToleranceMilliseconds, as: "futureTolerance")
    try Setting.expiryTolerance.check(expiryToleranceMilliseconds, as: "expiryTolerance")
    self.init(
      unchecked: maxTTLMilliseconds, futureToleranceMilliseconds, expiryToleranceMilliseconds, unknownFields,
      mvpds)
  }

  /// Less than programs let an operator choose; a life of nothing would refuse every token.
  package static let lives = 1...Setting.maxTTL.range.upperBound

  /// The policy in which everything has its default.
  public static let standard = TokenPolicy(
    unchecked: Setting.maxTTL.standard, Setting.futureTolerance.standard, Setting.expiryTolerance.standard, .report,
    .all)

  /// The same with times that are no looser than these.
  package func stricter(with times: ReplayTolerances) -> TokenPolicy {
    TokenPolicy(
      unchecked: min(maxTTLMilliseconds, times.maxTTLMilliseconds),
      min(futureToleranceMilliseconds, times.futureToleranceMilliseconds),
      min(expiryToleranceMilliseconds, times.expiryToleranceMilliseconds), unknownFields, mvpds)
  }

  /// The same with those times that are given, which are in their ranges.
  package func with(maxTTL: Int64?, futureTolerance: Int64?, expiryTolerance: Int64?) -> TokenPolicy {
    TokenPolicy(
      unchecked: maxTTL ?? maxTTLMilliseconds, futureTolerance ?? futureToleranceMilliseconds,
      expiryTolerance ?? expiryToleranceMilliseconds, unknownFields, mvpds)
  }

  private init(
    unchecked maxTTL: Int64, _ future: Int64, _ expiry: Int64, _ unknown: UnknownFields, _ mvpds: MVPDList
  ) {
    maxTTLMilliseconds = maxTTL
    futureToleranceMilliseconds = future
    expiryToleranceMilliseconds = expiry
    unknownFields = unknown
    self.mvpds = mvpds
  }
}

/// The pay-TV providers (MVPDs) that are accepted.
///
/// A token is refused if its `mvpdId` or its `proxyMvpdId` is denied. Each of the two may have an allow list, on which it must
/// be; where both have one, both must hold. Names compare byte by byte (``ExactText``).
public struct MVPDList: Sendable, Hashable {
  private let lists: Lists

  // Indirect: each verification copies its policy, and without lists there is nothing to count references of.
  private enum Lists: Sendable, Hashable {
    case none
    indirect case given(allowed: Set<ExactText>?, allowedProxies: Set<ExactText>?, denied: Set<ExactText>)
  }

  /// Every provider.
  public static let all = MVPDList(allowing: nil, denying: [])

  /// The providers on the lists of what is allowed (nil: every provider; empty: none) that are not denied.
  ///
  /// - Parameters:
  ///   - allowed: what `mvpdId` may be.
  ///   - proxies: what `proxyMvpdId` may be. With such a list a token that has none is refused.
  ///   - denied: what neither may be.
  public init(
    allowing allowed: [ExactText]?, allowingProxies proxies: [ExactText]? = nil, denying denied: [ExactText] = []
  ) {
    if allowed == nil, proxies == nil, denied.isEmpty {
      lists = .none
    } else {
      lists = .given(
        allowed: allowed.map(Self.names), allowedProxies: proxies.map(Self.names), denied: Self.names(denied))
    }
  }

  /// An empty name is never on a list, whatever the list says (<doc:TokenFormat>, "Binding").
  private static func names(_ list: [ExactText]) -> Set<ExactText> { Set(list).subtracting([""]) }

  package var admitsNone: Bool {
    guard case .given(let allowed, let allowedProxies, let denied) = lists else { return false }
    return [allowed, allowedProxies].contains { $0.map { $0.isSubset(of: denied) } ?? false }
  }

  /// True if there is nothing to look up.
  var admitsAll: Bool {
    if case .none = lists { true } else { false }
  }

  func denies(_ mvpd: ExactText) -> Bool {
    guard case .given(_, _, let denied) = lists else { return false }
    return denied.contains(mvpd)
  }

  func lists(_ mvpd: ExactText) -> Bool {
    guard case .given(let allowed?, _, _) = lists else { return true }
    return allowed.contains(mvpd)
  }

  /// A token that names no proxy provider is on no list.
  func listsProxy(_ mvpd: ExactText?) -> Bool {
    guard case .given(_, let allowedProxies?, _) = lists else { return true }
    return mvpd.map(allowedProxies.contains) ?? false
  }
}

// The package calls it by a short name; the public one does not collide in an application.
package typealias Policy = TokenPolicy
