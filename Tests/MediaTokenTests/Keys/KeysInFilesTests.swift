import Foundation
import Glibc
import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite("Keys: files and folders")
struct KeysInFilesTests {
  private let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func names(_ paths: String...) throws(Problem) -> [String] {
    try TrustedKeys(readingFiles: paths, consent: .any).keys.map(\.origin.file)
  }

  private func refusal(_ paths: String...) -> Problem? {
    KeyFixture.error { () throws(Problem) in _ = try TrustedKeys(readingFiles: paths, consent: .any) }
  }

  // Case 83. Root may read everything.
  @Test(.enabled(if: getuid() != 0)) func unreadableFileIsRefused() throws {
    let path = try scratch.copy("rsa2048.pem", mode: 0o000)
    #expect(refusal(path)?.reason == .cannotOpen(EACCES))
  }

  // Case 83.
  @Test func socketIsRefused() throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    try Sockets.bind(listener, to: .local(scratch.path("s.pem")))
    #expect(refusal(scratch.path("s.pem"))?.reason == .notRegular(.socket))
  }

  // Case 84. Files of the kernel's have no size, so they grow while they are read, or one page, so they shrink.
  @Test(arguments: ["/proc/self/status", "/sys/kernel/mm/transparent_hugepage/enabled"])
  func fileThatChangesItsSizeIsRefused(_ path: String) {
    guard FileManager.default.fileExists(atPath: path) else { return }
    #expect(refusal(path)?.reason == .changedWhileRead)
  }

  // Case 84: whole old or whole new set.
  @Test(arguments: [
    "mv -f new a.pem", "cp --remove-destination new a.pem", "rm a.pem", "mv new c.pem", "mv a.pem A.pem",
  ])
  func folderThatChangesWhileItIsReadIsRefused(_ change: String) throws {
    try scratch.copy("rsa2048.pem", as: "a.pem")
    try scratch.copy("rsa2049.pem", as: "b.pem")
    try scratch.copy("rsa4096.pem", as: "new")
    var files = 0
    let error = KeyFixture.error { () throws(Problem) in
      try KeyFolder.read(Array(scratch.path.utf8)) { (_, _) in
        files += 1
        if files == 2 { #expect((try? scratch.run(change)) == true) }
      }
    }
    #expect(files == 2 && error?.reason == .changedWhileRead)
  }

  @Test func nameWithANULByteIsRefused() throws {
    let path = try scratch.copy("rsa2048.pem", as: "a.pem")
    #expect(refusal(path + "\0.der")?.reason == .unusableName)
  }

  /// In a process of its own: other tests have files open at the same time.
  @Test func descriptorsAreClosedWhateverHappens() async {
    await #expect(processExitsWith: .success) {
      func open() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
      let tests = try KeysInFilesTests()
      let good = try tests.scratch.copy("rsa2048.pem", as: "a.pem")
      let bad = try tests.scratch.copy("rsa2048.pem", as: "b.txt", mode: 0o666)
      // Dispatch opens and closes descriptors of its own now and then; what reading left open would be more each time.
      let leavesNothing = try (0..<10).contains { _ in
        let before = try open()
        for _ in 0..<3 {
          _ = try tests.names(good, tests.scratch.path)
          _ = tests.refusal(bad)
        }
        return try open() == before
      }
      #expect(leavesNothing)
    }
  }
}
