internal import Glibc

/// Signals as events to wait for, in place of handlers that interrupt other code.
package enum Signals {
  package enum Order: Sendable {
    /// SIGTERM or SIGINT.
    case stop
    /// SIGHUP.
    case reload
  }

  /// Lets a write to a pipe or socket that is not read any more be an error of the call, and not the end of the program.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Lets a write beyond RLIMIT_FSIZE be an error of the call (EFBIG), and not the end of the program with half a file.
  package static func ignoreSizeLimits() { signal(SIGXFSZ, SIG_IGN) }

  /// Blocks them in every thread. To be called before any other thread starts, as threads inherit the mask.
  package static func hold() {
    var held = set(of: all)
    // SAFETY: the set lives in this scope. The call fails only for a wrong first argument (pthread_sigmask(3)).
    unsafe pthread_sigmask(SIG_BLOCK, &held, nil)
  }

  /// Makes a crash end the process, and do nothing else.
  ///
  /// A core file would contain tokens and keys (core(5): a handler that dumps are piped to sees the limit, and should respect it). The
  /// Swift runtime would write registers and the memory they point to into the log, tokens possibly among it, and would keep
  /// a process alive that SIGABRT was to end, which the service manager sends when it hangs.
  package static func crashSilently() {
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    // SAFETY: the limits live in this scope. To lower them is always allowed (setrlimit(2)).
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    for signal in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      // Fails only for numbers that are not signals (signal(2)).
      _ = Glibc.signal(signal, SIG_DFL)
    }
  }

  /// Waits for the next order, or until the time is over. An order to stop comes first: the kernel hands out the lowest number,
  /// and where SIGHUP is sent all the time that would be the only one.
  package static func next(withinMilliseconds limit: Int) -> Order? {
    wait(for: [SIGTERM, SIGINT], withinMilliseconds: 0) ?? wait(for: all, withinMilliseconds: limit)
  }

  private static func wait(for signals: [Int32], withinMilliseconds limit: Int) -> Order? {
    var held = set(of: signals)
    var time = timespec(tv_sec: limit / 1000, tv_nsec: limit % 1000 * 1_000_000)
    // SAFETY: both live in this scope.
    switch unsafe sigtimedwait(&held, nil, &time) {
    case SIGTERM, SIGINT: return .stop
    case SIGHUP: return .reload
    default: return nil
    }
  }

  private static let all = [SIGTERM, SIGINT, SIGHUP]

  private static func set(of signals: [Int32]) -> sigset_t {
    var held = sigset_t()
    unsafe sigemptyset(&held)
    for signal in signals { unsafe sigaddset(&held, signal) }
    return held
  }
}
