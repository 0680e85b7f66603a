internal import CLinux
internal import CMemoryGuard
internal import Glibc

package enum CurrentProcess {
  package static var id: Int32 { getpid() }

  /// getuid(2): the user who started the program.
  package static var userID: UInt32 { getuid() }

  /// geteuid(2): the owner of the files that it makes.
  package static var effectiveUserID: UInt32 { geteuid() }

  /// getegid(2): the group of the files that it makes.
  package static var effectiveGroupID: UInt32 { getegid() }

  /// The processors that the program may use, at least one: those of its affinity (sched_getaffinity(2)), which a
  /// container's set of processors is as well.
  package static var processors: Int {
    // SAFETY: the set lives in this scope, and the call writes no more than its size. It fails where there are more processors.
    var set = cpu_set_t()
    let count = unsafe withUnsafeMutablePointer(to: &set) { set -> Int? in
      guard unsafe sched_getaffinity(0, MemoryLayout<cpu_set_t>.size, set) == 0 else { return nil }
      return unsafe UnsafeRawBufferPointer(start: set, count: MemoryLayout<cpu_set_t>.size)
        .reduce(0) { $0 + $1.nonzeroBitCount }
    }
    return max(1, count ?? Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
  }

  /// initgroups(3), setgid(2), setuid(2): becomes a user with all its groups, for good. Only before other threads start.
  package static func become(user name: String, _ user: UInt32, group: UInt32) throws(SystemError) {
    _ = try SystemCall.uninterrupted { unsafe initgroups(name, group) }
    _ = try SystemCall.uninterrupted { setgid(group) }
    _ = try SystemCall.uninterrupted { setuid(user) }
  }

  /// The program's arguments, byte for byte, without its name. Swift's own `CommandLine` repairs what is not UTF-8, and a
  /// repaired token is another token; and it has none where /proc is not mounted.
  package static var arguments: [[UInt8]] {
    var arguments: [[UInt8]] = []
    // SAFETY: main's texts end with NULL and live as long as the program; each is copied.
    var next = unsafe program_arguments()
    while let text = unsafe next?.pointee {
      unsafe arguments.append(Array(UnsafeRawBufferPointer(start: text, count: strlen(text))))
      unsafe next = next?.successor()
    }
    return Array(arguments.dropFirst())
  }

  /// getenv(3); nil if the variable is not set or empty.
  package static func variable(_ name: String) -> [UInt8]? {
    // SAFETY: getenv's text lives until the environment changes, and is copied before.
    guard let text = unsafe getenv(name) else { return nil }
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    return bytes.isEmpty ? nil : bytes
  }

  package static func variables(beginningWith prefix: StaticString) -> [String] {
    var names: [String] = []
    // SAFETY: environ(7) ends with NULL, and its texts live until the environment changes; each is copied before.
    var next = unsafe mediatoken_environment()
    while let text = unsafe next?.pointee {
      let entry = unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
      if entry.span.begins(with: prefix) {
        names.append(String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self))
      }
      unsafe next = next?.successor()
    }
    return names
  }

  /// unsetenv(3). Only before other threads start, because they may read the environment.
  package static func removeVariable(_ name: String) { _ = unsafe unsetenv(name) }

  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// _exit(2): ends the program whatever other threads are doing: no handlers run under them.
  package static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }
}

extension CurrentProcess {
  /// Opens each of the three that is not open, so that it is not left free for the next file: what belongs on standard
  /// output must not end up in a key file. Reading from the first and writing to the others fails, as it would have. True
  /// if all three are open now.
  package static func occupyStandardDescriptors() -> Bool {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The system gives the lowest number that is free.
      guard unsafe open("/dev/null", descriptor == 1 ? O_RDONLY : O_WRONLY) == descriptor else { return false }
    }
    return true
  }

  /// isatty(3): whether a person is at the other end.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }
}
