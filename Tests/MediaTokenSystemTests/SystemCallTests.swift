import Foundation
import Glibc
import Synchronization
import Testing

@testable import MediaTokenSystem

/// How often the handler below ran.
private let signals = Atomic<Int>(0)

/// Calls that are interrupted, that would block, and that fail.
@Suite("System calls")
struct SystemCallTests {
  private let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/system-\(UUID().uuidString)"
    try SystemCall.makeFolder(folder)
  }

  @Test func readGoesOnAfterASignal() throws {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in signals.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
    // Without SA_RESTART: the system gives up the call, and ours makes it again.
    unsafe sigaction(SIGUSR1, &action, nil)
    let pipe = try Pipe()
    let reader = Monitor<(thread: pthread_t?, result: Int?)>((nil, nil))
    let number = pipe.reading.number
    let thread = try WorkerThread {
      // The threads of tests hold signals back, and this one inherits that.
      var all = sigset_t()
      unsafe sigemptyset(&all)
      unsafe sigaddset(&all, SIGUSR1)
      unsafe pthread_sigmask(SIG_UNBLOCK, &all, nil)
      reader.change { $0.thread = pthread_self() }
      var byte: [UInt8] = [0]
      let count = try? SystemCall.read(number, into: &byte, from: 0)
      reader.change { $0.result = count ?? -1 }
    }
    guard let target = reader.change(when: { $0.thread != nil }, { $0.thread }) else { return }
    // One after another: of many that wait the thread gets one.
    for sent in 1...20 {
      WorkerThread.sleep(milliseconds: 5)
      pthread_kill(target, SIGUSR1)
      while signals.load(ordering: .sequentiallyConsistent) < sent { WorkerThread.sleep(milliseconds: 1) }
    }
    WorkerThread.sleep(milliseconds: 50)
    #expect(reader.current.result == nil, "a signal ended the read")
    try SystemCall.write(pipe.writing.number, [7].span)
    thread.join()
    #expect(reader.current.result == 1)
  }

  @Test func readWaitsWhereTheDescriptorDoesNot() throws {
    let pipe = try Pipe(flags: O_NONBLOCK)
    let number = pipe.writing.number
    let thread = try WorkerThread {
      WorkerThread.sleep(milliseconds: 50)
      try? SystemCall.write(number, [1, 2].span)
    }
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(try SystemCall.read(pipe.reading.number, into: &bytes, from: 5) == 2)
    #expect(bytes == [0, 0, 0, 0, 0, 1, 2, 0])
    thread.join()
  }

  @Test func writeWaitsAndOneThatMustNotSaysSo() throws {
    let pipe = try Pipe(flags: O_NONBLOCK)
    let much = [UInt8](repeating: 1, count: 1 << 20)
    var written = 0
    var refusal: SystemError?
    while refusal == nil {
      do throws(SystemError) {
        written += try SystemCall.writeOnce(pipe.writing.number, much.span)
      } catch {
        refusal = error
      }
    }
    #expect(refusal == .wouldBlock)
    #expect(try SystemCall.unlessBlocked { unsafe Glibc.write(pipe.writing.number, much, 1) } == nil)
    // Whole, as something reads now.
    let number = pipe.reading.number
    let total = written + much.count
    let reader = Monitor(0)
    let thread = try WorkerThread {
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      while reader.current < total, let count = try? SystemCall.read(number, into: &bytes, from: 0), count > 0 {
        reader.change { $0 += count }
      }
    }
    try SystemCall.write(pipe.writing.number, much.span)
    thread.join()
    #expect(reader.current == total)
  }

  @Test func functionsThatReturnTheirErrorThrowIt() throws {
    try SystemCall.succeeding { 0 }
    #expect(throws: SystemError.noSpace) { try SystemCall.succeeding { ENOSPC } }
    var left = 3
    try SystemCall.succeeding {
      left -= 1
      return left > 0 ? EINTR : 0
    }
    #expect(left == 0)
  }

  @Test func pathWithANULByteIsRefused() {
    let path = folder + "\0/x"
    #expect(throws: SystemError.invalidArgument) { _ = try FileDescriptor(opening: path, for: .reading).number }
    #expect(throws: SystemError.invalidArgument) { try SystemCall.unlink(path) }
    #expect(throws: SystemError.invalidArgument) { try SystemCall.makeFolder(path) }
    #expect(throws: SystemError.invalidArgument) { _ = try FileStatus(ofLinkAt: path) }
  }

  @Test func newFileIsNeverAnOldOne() throws {
    let path = folder + "/new"
    do {
      let file = try FileDescriptor(opening: path, for: .writing, .new, mode: 0o600)
      try SystemCall.write(file.number, [1, 2, 3].span)
      try SystemCall.synchronise(file.number)
      try file.close()
    }
    #expect(throws: SystemError.exists) {
      _ = try FileDescriptor(opening: path, for: .writing, .new, mode: 0o600).number
    }
    try SystemCall.link(path, to: path + ".second")
    #expect(throws: SystemError.exists) { try SystemCall.link(path, to: path + ".second") }
    let (first, second) = (try FileStatus(ofLinkAt: path), try FileStatus(ofLinkAt: path + ".second"))
    #expect(first.isSameFile(as: second))
    #expect((first.kind, first.size, first.links, first.mode) == (.regular, 3, 2, 0o600))
    try SystemCall.unlink(path)
    #expect(throws: SystemError.missing) { _ = try FileStatus(ofLinkAt: path) }
  }

  @Test func linkIsNotFollowedWhereItMustNot() throws {
    let path = folder + "/link"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder)
    #expect(throws: SystemError.link) { _ = try FileDescriptor(opening: path, for: .reading, .noLink).number }
    #expect(try FileStatus(ofLinkAt: path).kind == .link)
    let opened = try FileDescriptor(opening: path, for: .reading, .folder)
    #expect(try FileStatus(of: opened.number).kind == .folder)
    #expect(try FileStatus(of: Array("link".utf8), in: opened.number).kind == .folder)
    #expect(throws: SystemError.isFolder) { _ = try FileDescriptor(opening: folder, for: .both).number }
  }

  @Test func descriptorEndsWithItsOwnerAndNotBefore() throws {
    let path = folder + "/owned"
    var number: Int32 = -1
    do {
      let file = try FileDescriptor(opening: path, for: .writing, .new, mode: 0o600)
      number = file.number
      #expect(fcntl(number, F_GETFD) == FD_CLOEXEC)
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
      #expect(target == path)
    }
    // Another test may have it by now, but not this file.
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
    #expect(target != path)
  }

  @Test func lockIsOfTheOpenFile() throws {
    let path = folder + "/lock"
    let first = try FileDescriptor(opening: path, for: .both, .new, mode: 0o600)
    let second = try FileDescriptor(opening: path, for: .both)
    #expect(try SystemCall.tryLockAlone(first.number))
    #expect(try !SystemCall.tryLockAlone(second.number))
    try SystemCall.lock(first.number, alone: false)
    try SystemCall.lock(second.number, alone: false)
    #expect(try !SystemCall.tryLockAlone(first.number))
    try SystemCall.unlock(second.number)
    #expect(try SystemCall.tryLockAlone(first.number))
  }

  @Test func namesOfAFolderAreAll() throws {
    let names = Set((0..<100).map { "file-\($0)" })
    for name in names {
      _ = try FileDescriptor(opening: "\(folder)/\(name)", for: .writing, .new, mode: 0o600).number
    }
    let stream = try FolderStream(try FileDescriptor(opening: folder, for: .reading, .folder))
    for _ in 0..<2 {
      var found: Set<String> = []
      try stream.forEachName { name in
        found.insert(String(decoding: name, as: UTF8.self))
        return true
      }
      #expect(found == names.union([".", ".."]))
    }
    var count = 0
    try stream.forEachName { _ in
      count += 1
      return count < 3
    }
    #expect(count == 3)
  }

  @Test func mappedFileIsSharedAndReserved() throws {
    let file = try FileDescriptor(opening: folder + "/mapped", for: .both, .new, mode: 0o600)
    try SystemCall.reserve(file.number, to: 8192)
    #expect(try FileStatus(of: file.number).size == 8192)
    let memory = try MappedMemory(8192, of: .file(file.number, from: 0))
    unsafe memory.start.storeBytes(of: 0x0102_0304, toByteOffset: 4096, as: UInt32.self)
    try memory.synchronise(first: 8192)
    var bytes = [UInt8](repeating: 9, count: 8)
    var room = bytes.mutableSpan
    #expect(try SystemCall.read(file.number, at: 4096, into: &room) == 8)
    #expect(bytes == [4, 3, 2, 1, 0, 0, 0, 0])
    #expect(throws: SystemError.self) { _ = try MappedMemory(0, of: .own).count }
  }

  @Test func errorHasTheSystemsWords() {
    #expect("\(SystemError.missing)" == "no such file or directory")
    #expect("\(SystemError(code: EACCES))" == "permission denied")
    #expect(SystemError.missing != .exists)
  }

  /// A pipe of its own.
  private struct Pipe: ~Copyable {
    let reading: FileDescriptor
    let writing: FileDescriptor

    init(flags: Int32 = 0) throws {
      var ends: [Int32] = [-1, -1]
      guard unsafe pipe(&ends) == 0 else { throw SystemError.last }
      for end in ends where flags != 0 { _ = fcntl(end, F_SETFL, flags) }
      reading = FileDescriptor(owning: ends[0])
      writing = FileDescriptor(owning: ends[1])
    }
  }
}
