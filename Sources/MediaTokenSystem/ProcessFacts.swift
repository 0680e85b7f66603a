internal import Glibc

/// Figures of this process. Each is nil where the system does not tell it.
package struct ProcessFacts: Sendable {
  package private(set) var cpuMicroseconds: UInt64?
  package private(set) var startTimeMilliseconds: UInt64?
  package private(set) var residentBytes: UInt64?
  package private(set) var virtualBytes: UInt64?
  package private(set) var openDescriptors: UInt64?
  package private(set) var mostDescriptors: UInt64?

  package static func current() -> ProcessFacts {
    var facts = ProcessFacts()
    var usage = rusage()
    // SAFETY: each of these calls fills in the structure that it is given.
    if unsafe getrusage(RUSAGE_SELF.rawValue, &usage) == 0 {
      facts.cpuMicroseconds = microseconds(usage.ru_utime) + microseconds(usage.ru_stime)
    }
    var limit = rlimit()
    if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      facts.mostDescriptors = UInt64(limit.rlim_cur)
    }
    facts.readMemory()
    facts.openDescriptors = countDescriptors()
    facts.startTimeMilliseconds = startTime
    return facts
  }

  private static func microseconds(_ time: timeval) -> UInt64 {
    UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_usec)
  }

  /// proc(5): pages in all, and pages in memory.
  private mutating func readMemory() {
    let numbers = Self.read("/proc/self/statm").split(separator: UInt8(ascii: " ")).prefix(2)
      .compactMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    guard numbers.count == 2 else { return }
    let page = UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
    (virtualBytes, residentBytes) = (numbers[0] * page, numbers[1] * page)
  }

  /// The entries of `/proc/self/fd` without the one that is open for counting.
  private static func countDescriptors() -> UInt64? {
    guard let descriptor = try? FileDescriptor(opening: "/proc/self/fd", for: .reading, .folder),
      let folder = try? FolderStream(descriptor)
    else { return nil }
    var count: UInt64 = 0
    try? folder.forEachName { name in
      if name.first != UInt8(ascii: ".") { count += 1 }
      return true
    }
    return count > 0 ? count - 1 : nil
  }

  /// proc(5): field 22 of stat is the process's start, in clock ticks after the system's start.
  private static let startTime: UInt64? = {
    let stat = read("/proc/self/stat")
    // The name in parentheses may hold anything.
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
    let ticks = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    guard fields.count > 19, let started = UInt64(String(decoding: fields[19], as: UTF8.self)),
      let boot = MonotonicTime.sinceBoot, let now = try? RealTime.now()
    else { return nil }
    // A clock that was set back to 1970 may be less than what has passed since the boot.
    return UInt64(exactly: now - Int64(boot / 1_000_000) + Int64(started * 1000 / ticks))
  }()

  /// The text of a file of proc(5), at most a megabyte; empty if it can't be read.
  static func read(_ path: String) -> [UInt8] {
    guard let file = try? FileDescriptor(opening: path, for: .reading) else { return [] }
    var (bytes, used) = ([UInt8](repeating: 0, count: 4096), 0)
    while let count = try? SystemCall.read(file.number, into: &bytes, from: used), count > 0 {
      used += count
      guard used <= 1 << 20 else { break }
      if used == bytes.count { bytes += [UInt8](repeating: 0, count: used) }
    }
    return Array(bytes.prefix(used))
  }
}

/// The number of files and connections that this process may have open.
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

  /// The number that could be opened now besides; nil if the system does not say.
  package static var left: Int? {
    let facts = ProcessFacts.current()
    guard let most = facts.mostDescriptors, let open = facts.openDescriptors else { return nil }
    return Int(clamping: most) - Int(clamping: open)
  }
}
