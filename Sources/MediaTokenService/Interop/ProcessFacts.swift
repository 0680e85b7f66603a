internal import Glibc

/// What the system says of this process. Each is nil where it does not say it.
struct ProcessFacts {
  private(set) var cpuMicroseconds: UInt64?
  private(set) var startTimeMilliseconds: UInt64?
  private(set) var residentBytes: UInt64?
  private(set) var virtualBytes: UInt64?
  private(set) var openDescriptors: UInt64?
  private(set) var mostDescriptors: UInt64?

  /// What is true now.
  static func current() -> ProcessFacts {
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

  /// Entries of `/proc/self/fd` without the one that is open for counting.
  private static func countDescriptors() -> UInt64? {
    guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
    // SAFETY: opened here and closed here; an entry is looked at before the next is read.
    defer { unsafe closedir(folder) }
    var count: UInt64 = 0
    while let entry = unsafe readdir(folder) {
      if unsafe entry.pointee.d_name.0 != CChar(bitPattern: UInt8(ascii: ".")) { count += 1 }
    }
    return count > 0 ? count - 1 : nil
  }

  /// proc(5): field 22 of stat is when the process started, in clock ticks after the system's start.
  private static let startTime: UInt64? = {
    let stat = read("/proc/self/stat")
    // The name in parentheses may hold anything.
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[(end + 1)...].split(separator: UInt8(ascii: " "))
    let ticks = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
    var (boot, now) = (timespec(), timespec())
    guard fields.count > 19, let started = UInt64(String(decoding: fields[19], as: UTF8.self)),
      unsafe clock_gettime(CLOCK_BOOTTIME, &boot) == 0, unsafe clock_gettime(CLOCK_REALTIME, &now) == 0
    else { return nil }
    func milliseconds(_ time: timespec) -> UInt64 { UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000 }
    return milliseconds(now) - milliseconds(boot) + started * 1000 / ticks
  }()

  private static func read(_ path: String) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { _ = close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: read writes at most as many bytes as it is told.
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, count)))
  }
}
