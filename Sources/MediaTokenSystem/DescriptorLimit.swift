internal import Glibc

/// How many files and connections this process may have open.
package enum DescriptorLimit {
  /// Raises it to what the system allows at most (setrlimit(2), RLIMIT_NOFILE). The lower limit that programs start with is
  /// meant for those that use select(2).
  package static func raise() {
    var limit = rlimit()
    let name = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    // SAFETY: the limits live in this scope. Where raising them fails they stay, and are looked at anyway.
    guard unsafe getrlimit(name, &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(name, &limit)
  }

  /// How many more could be opened now; nil if the system does not say.
  package static var left: Int? {
    let facts = ProcessFacts.current()
    guard let most = facts.mostDescriptors, let open = facts.openDescriptors else { return nil }
    return Int(clamping: most) - Int(clamping: open)
  }
}
