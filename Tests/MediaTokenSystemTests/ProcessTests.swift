import Foundation
import Glibc
import MediaTokenSystem
import Synchronization
import Testing

/// Clocks, threads, the lock, and what the system knows of this process.
@Suite("Clocks, threads and the process")
struct ProcessTests {
  @Test func realTimeIsTheSystems() throws {
    let before = Int64(Date().timeIntervalSince1970 * 1000)
    let now = try RealTime.now()
    let after = Int64(Date().timeIntervalSince1970 * 1000)
    #expect((before...after + 1).contains(now))
  }

  @Test func monotonicTimeNeverGoesBack() {
    var last = MonotonicTime.now
    for _ in 0..<1000 {
      let now = MonotonicTime.now
      #expect(now >= last)
      last = now
    }
    WorkerThread.sleep(milliseconds: 20)
    #expect(MonotonicTime.now >= last + 20_000_000)
  }

  @Test func timeOfAThreadIsWhatItHasOfAProcessor() {
    let before = MonotonicTime.ofThisThread
    WorkerThread.sleep(milliseconds: 1000)
    #expect(MonotonicTime.ofThisThread - before < 500_000_000)
    while MonotonicTime.ofThisThread < before + 20_000_000 {}
  }

  @Test func durationsBecomeNanoseconds() {
    #expect(Duration.seconds(2).nanoseconds == 2_000_000_000)
    #expect(Duration.nanoseconds(7).nanoseconds == 7)
    #expect(Duration(secondsComponent: 0, attosecondsComponent: 999_999_999).nanoseconds == 0)
    #expect(Duration.seconds(-1).nanoseconds == 0)
    #expect(Duration.nanoseconds(-1).nanoseconds == 0)
    #expect(Duration.seconds(18_446_744_074).nanoseconds == .max)
  }

  @Test func changesOfManyThreadsAreAllThere() throws {
    let counter = Monitor(0)
    let threads = try (0..<8).map { _ in
      try WorkerThread { for _ in 0..<10_000 { counter.change { $0 += 1 } } }
    }
    for thread in threads { thread.join() }
    #expect(counter.current == 80_000)
  }

  @Test func waitingEndsWithTheChangeThatItWaitsFor() throws {
    let turn = Monitor(0)
    let players = try (0..<4).map { player in
      try WorkerThread {
        for round in 0..<200 { turn.change(when: { $0 == round * 4 + player }, { $0 += 1 }) }
      }
    }
    for player in players { player.join() }
    #expect(turn.current == 800)
  }

  @Test func oldValueEndsWhenTheLockIsFree() {
    /// Looks into the lock when it ends, and would wait forever if that were held.
    final class Last: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
      deinit { body() }
    }
    let seen = Atomic<Bool>(false)
    let monitor = Monitor<Last?>(nil)
    withExtendedLifetime(seen) {
      monitor.exchange(
        for: Last { [weak monitor] in _ = monitor?.current == nil })
      monitor.exchange(for: nil)
    }
    #expect(monitor.current == nil)
  }

  @Test func accountsAreFoundByName() {
    #expect(Accounts.userID(ofName: "root") == 0)
    #expect(Accounts.groupID(ofName: "root") == 0)
    #expect(Accounts.userID(ofName: "no such user") == nil)
    #expect(Accounts.groupID(ofName: "no such group") == nil)
  }

  @Test func processIsKnown() throws {
    let facts = ProcessFacts.current()
    #expect((facts.residentBytes ?? 0) > 1 << 20)
    #expect((facts.virtualBytes ?? 0) >= (facts.residentBytes ?? 0))
    #expect((facts.openDescriptors ?? 0) >= 3)
    #expect((facts.mostDescriptors ?? 0) >= (facts.openDescriptors ?? 0))
    let started = Int64(facts.startTimeMilliseconds ?? 0)
    let now = try RealTime.now()
    #expect(started <= now + 10 && started > now - 24 * 3_600_000)
    #expect(CurrentProcess.id == getpid())
    #expect(CurrentProcess.processors >= 1)
  }

  /// In a process of its own, whose signals no one else gets.
  @Test func orderToStopComesBeforeAnyOther() async {
    await #expect(processExitsWith: .success) {
      Signals.hold()
      for signal in [SIGHUP, SIGTERM, SIGHUP] { raise(signal) }
      #expect(Signals.next(withinMilliseconds: 0) == .stop)
      #expect(Signals.next(withinMilliseconds: 0) == .reload)
      #expect(Signals.next(withinMilliseconds: 0) == nil)
    }
  }

  @Test func unmappedUserIsNoOne() {
    #expect(UserNamespace.isOne(0, everyUserIsKnown: false) && UserNamespace.isOne(1000, everyUserIsKnown: false))
    #expect(!UserNamespace.isOne(65534, everyUserIsKnown: false))
    #expect(UserNamespace.isOne(65534, everyUserIsKnown: true))
    #expect(!UserNamespace.isOne(.max, everyUserIsKnown: true))
  }

  /// In a process of its own: other tests read the environment while this one changes it.
  @Test func environmentIsReadAsBytes() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("MEDIATOKEN_SYSTEM_TEST", "a=b", 1)
      #expect(CurrentProcess.variable("MEDIATOKEN_SYSTEM_TEST") == Array("a=b".utf8))
      unsafe setenv("MEDIATOKEN_SYSTEM_TEST", "", 1)
      #expect(CurrentProcess.variable("MEDIATOKEN_SYSTEM_TEST") == nil)
      unsafe unsetenv("MEDIATOKEN_SYSTEM_TEST")
      #expect(CurrentProcess.variable("MEDIATOKEN_SYSTEM_TEST") == nil)
    }
  }

  @Test func bootHasOneIdentity() throws {
    let (first, second) = (try BootIdentity.current(), try BootIdentity.current())
    #expect(first == second)
    #expect(first != (0, 0))
    let text = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
    let digits = text.filter(\.isHexDigit)
    #expect(UInt64(digits.prefix(16), radix: 16) == first.0)
    #expect(UInt64(digits.suffix(16), radix: 16) == first.1)
  }

  @Test func messageReachesItsSocket() throws {
    // An abstract name: nothing is left in the file system.
    let name = [0] + Array("mediatoken-\(UUID().uuidString)".utf8)
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let length = socklen_t(2 + name.count)
    let bound = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(socket, $0, length) }
    }
    #expect(bound == 0)
    #expect(try DatagramSender(to: name).send(Array("READY=1\n".utf8)))
    #expect(
      try !DatagramSender(to: [0] + [UInt8](repeating: 1, count: DatagramSender.longestAddress)).send([1]))
    #expect(try !DatagramSender(to: [0] + Array("mediatoken-\(UUID().uuidString)".utf8)).send([1]))
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(unsafe recv(socket, &bytes, 64, 0) == 8)
    #expect(bytes.prefix(8) == Array("READY=1\n".utf8)[...])
  }
}
