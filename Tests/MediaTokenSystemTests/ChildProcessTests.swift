import Foundation
import Testing

@testable import MediaTokenSystem

@Suite("ChildProcess", .serialized)
struct ChildProcessTests {
  private let path = FileManager.default.temporaryDirectory.path + "/mediatoken-\(UUID().uuidString)"

  private func said() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func start(_ program: String, _ arguments: [String]) throws -> ChildProcess {
    let output = try FileDescriptor(opening: path, for: .writing, .created, mode: 0o600)
    return try ChildProcess(starting: program, arguments, output: output.number)
  }

  /// Whether it has ended within a minute.
  private func ends(_ child: ChildProcess) -> Bool {
    for _ in 0..<6000 {
      if child.hasEnded() { return true }
      WorkerThread.sleep(milliseconds: 10)
    }
    return false
  }

  @Test func programsAreFoundInPathAndGetTheirArgumentsAsTheyAre() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let child = try start("sh", ["-c", "printf '<%s>' \"$@\"; echo error >&2; cat", "sh", "", "a b", "$HOME", "é"])
    #expect(ends(child))
    #expect(try said() == "<><a b><$HOME><é>error\n")
  }

  @Test func aProgramThatIsNotThereIsSaidToBeMissing() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(throws: SystemError.missing) { _ = try start("mediatoken-has-no-such-program", []) }
    #expect(throws: SystemError.missing) { _ = try start("/nowhere/program", []) }
    #expect(throws: SystemError.accessDenied) { _ = try start("/", []) }
    #expect(throws: SystemError.invalidArgument) { _ = try start("sh", ["a\0b"]) }
  }

  @Test func oneThatRunsHasNotEndedAndEndsWhenAsked() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let child = try start("sleep", ["1000"])
    #expect(!child.hasEnded())
    child.end(withinMilliseconds: 10_000)
    #expect(kill(child.id, 0) == -1)
  }

  @Test func oneThatDoesNotListenIsKilled() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let child = try start("sh", ["-c", "trap '' TERM; echo ready; while :; do sleep 0.1; done"])
    while try said() != "ready\n" { WorkerThread.sleep(milliseconds: 10) }
    child.end(withinMilliseconds: 50)
    #expect(kill(child.id, 0) == -1)
  }

  @Test func itEndsWithTheThreadThatStartedIt() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let started = Monitor<ChildProcess?>(nil)
    let thread = try WorkerThread { [path] in
      guard let output = try? FileDescriptor(opening: path, for: .writing, .created, mode: 0o600) else { return }
      started.exchange(for: try? ChildProcess(starting: "sleep", ["1000"], output: output.number))
    }
    thread.join()
    let child = try #require(started.current)
    #expect(ends(child))
  }

  @Test func aHungUpPipeIsNoticedAndAnOpenOneIsNot() throws {
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    #expect(!CurrentProcess.hasHungUp(ends[0]))
    close(ends[1])
    // A child that another test has just forked has a copy until its exec.
    let deadline = MonotonicTime.now + 60_000_000_000
    while !CurrentProcess.hasHungUp(ends[0]), MonotonicTime.now < deadline { usleep(1000) }
    #expect(CurrentProcess.hasHungUp(ends[0]))
    let nothing = try FileDescriptor(opening: "/dev/null", for: .reading)
    #expect(!CurrentProcess.hasHungUp(nothing.number))
  }
}
