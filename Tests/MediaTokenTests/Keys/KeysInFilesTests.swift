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

  @Test func fileIsReadWhateverItsName() throws {
    let path = try scratch.copy("production.jks", as: "store.bin")
    #expect(try names(path) == [path])
  }

  @Test func folderGivesKeyFilesInTheOrderOfTheirNames() throws {
    try scratch.copy("rsa4096.pem", as: "b.pem")
    try scratch.copy("production.jks", as: "B.jks")
    try scratch.copy("rsa2049.pem", as: "é.crt")
    try scratch.copy("rsa2048.der", as: "a.der")
    try scratch.copy("rsa2047.pem", as: "c.cer")
    for other in ["a.txt", "pem", "a.pem.bak", "a.PEM", ".hidden.pem", "jks"] { try scratch.write([1], as: other) }
    let found = ["B.jks", "a.der", "b.pem", "c.cer", "é.crt"]
    #expect(try names(scratch.path) == found.map(scratch.path(_:)))
    #expect(try names(scratch.path + "/") == found.map(scratch.path(_:)))
  }

  @Test func folderInAFolderIsNotEntered() throws {
    try FileManager.default.createDirectory(atPath: scratch.path("sub"), withIntermediateDirectories: false)
    try scratch.copy("rsa2048.pem", as: "sub/a.pem")
    #expect(refusal(scratch.path)?.reason == .emptyFolder)
    #expect(try names(scratch.path("sub")).count == 1)
  }

  @Test func folderWithoutKeyFilesIsRefused() throws {
    #expect(refusal(scratch.path)?.reason == .emptyFolder)
    try scratch.copy("rsa2048.pem", as: "key.txt")
    #expect(refusal(scratch.path)?.reason == .emptyFolder)
  }

  /// As `mediatoken keys generate` writes the two; a private key of another name is refused.
  @Test func privateKeyBesideThePublicOneIsPassedOver() throws {
    try scratch.copy("private.pem", as: "development.private.pem")
    #expect(refusal(scratch.path)?.reason == .emptyFolder)
    try scratch.copy("rsa2048.pem", as: "development.pem")
    #expect(try names(scratch.path) == [scratch.path("development.pem")])
    try scratch.copy("private.pem", as: "private.pem")
    let origin = KeyOrigin(name: Array(scratch.path("private.pem").utf8))
    #expect(refusal(scratch.path)?.reason == .otherForm(.privateKeyPEM, origin))
  }

  @Test func oneBadFileInAFolderLeavesNoSet() throws {
    try scratch.copy("rsa2048.pem", as: "a.pem")
    try scratch.write([], as: "b.pem")
    let error = refusal(scratch.path)
    #expect(error?.reason == .empty)
    #expect(error?.subject == scratch.path("b.pem"))
  }

  @Test func folderHoldsAtMost256KeyFiles() throws {
    let pem = try KeyFixture.bytes("rsa2048.pem")
    for index in 0..<Limits.keyFilesPerFolder { try scratch.write(pem, as: "\(index).pem") }
    try scratch.write(pem, as: "other.txt")
    #expect(try names(scratch.path).count == 1)
    try scratch.write(pem, as: "one-more.pem")
    #expect(refusal(scratch.path)?.reason == .tooManyFiles)
  }

  // Case 83: secrets are mounted as links.
  @Test func linksAreFollowed() throws {
    try FileManager.default.createDirectory(
      atPath: scratch.path("data"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    try scratch.copy("rsa2048.pem", as: "data/key")
    let manager = FileManager.default
    try manager.createSymbolicLink(atPath: scratch.path("key.pem"), withDestinationPath: "data/key")
    try manager.createSymbolicLink(atPath: scratch.path("link"), withDestinationPath: ".")
    #expect(try names(scratch.path("key.pem")).count == 1)
    #expect(try names(scratch.path).count == 1)
    #expect(try names(scratch.path("link")) == [scratch.path("link/key.pem")])
    try manager.createSymbolicLink(atPath: scratch.path("loop.pem"), withDestinationPath: "loop.pem")
    #expect(refusal(scratch.path)?.reason == .cannotOpen(ELOOP))
  }

  // Case 83.
  @Test func missingFileIsNamed() {
    let error = refusal(scratch.path("no.pem"))
    #expect(error?.code == Problem.missing)
    #expect(error?.description == "\(scratch.path("no.pem")): cannot be opened: no such file or directory")
  }

  // Case 83. Root may read everything.
  @Test(.enabled(if: getuid() != 0)) func unreadableFileIsRefused() throws {
    let path = try scratch.copy("rsa2048.pem", mode: 0o000)
    #expect(refusal(path)?.reason == .cannotOpen(EACCES))
  }

  // Case 83.
  @Test func fifoIsRefusedWithoutWaiting() throws {
    let path = scratch.path("fifo.pem")
    // SAFETY: the path is a C string for the call.
    #expect(unsafe mkfifo(path, 0o600) == 0)
    #expect(refusal(path)?.reason == .notRegular(.fifo))
    #expect(refusal(scratch.path)?.reason == .notRegular(.fifo))
  }

  // Case 83.
  @Test func socketIsRefused() throws {
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is shorter than the array; the structure outlives the call.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: scratch.path("s.pem").utf8) }
    let bound = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(bound == 0)
    #expect(refusal(scratch.path("s.pem"))?.reason == .notRegular(.socket))
  }

  // Case 83.
  @Test func deviceIsRefused() {
    #expect(refusal("/dev/zero")?.reason == .notRegular(.device))
  }

  @Test func folderWithAKeyFilesNameIsRefusedInAFolder() throws {
    try FileManager.default.createDirectory(atPath: scratch.path("old.pem"), withIntermediateDirectories: false)
    #expect(refusal(scratch.path)?.reason == .notRegular(.folder))
  }

  // Case 83.
  @Test(arguments: [(0o620, true), (0o602, true), (0o666, true), (0o644, false), (0o400, false), (0o755, false)])
  func fileThatOthersMayWriteIsRefused(_ mode: Int, _ isRefused: Bool) throws {
    let path = try scratch.copy("rsa2048.pem", as: "it's mine.pem", mode: mode)
    let error = refusal(path)
    #expect(error?.openMode == (isRefused ? UInt32(mode) : nil))
    if let error {
      let command = try #require(error.description.components(separatedBy: "run: ").last)
      #expect(try scratch.run(command))
      #expect(refusal(path) == nil)
    }
  }

  // Case 83: who can add a file to the folder can add a key, and who can rename one can exchange it. What is ours in a
  // sticky folder is safe from others.
  @Test(arguments: [(0o770, true), (0o707, true), (0o1777, false)])
  func folderThatOthersMayWriteIsRefused(_ mode: Int, _ isFileRefused: Bool) throws {
    try scratch.copy("rsa2048.pem")
    try scratch.setMode(mode, of: ".")
    #expect(refusal(scratch.path)?.openMode == UInt32(mode))
    #expect((refusal(scratch.path("rsa2048.pem"))?.openMode == UInt32(mode)) == isFileRefused)
    try scratch.setMode(0o755, of: ".")
    #expect(try names(scratch.path).count == 1)
  }

  @Test func tooLargeFileIsRefused() throws {
    let pem = try KeyFixture.bytes("rsa2048.pem")
    let padding = [UInt8](repeating: 0x0A, count: Limits.keyFileBytes - pem.count)
    #expect(try names(scratch.write(pem + padding, as: "a")).count == 1)
    let path = try scratch.write(pem + padding + [0x0A], as: "b")
    #expect(refusal(path)?.reason == .tooLarge(Limits.keyFileBytes + 1))
  }

  @Test func emptyFileIsRefused() throws {
    #expect(try refusal(scratch.write([], as: "a"))?.reason == .empty)
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
    #expect(refusal("")?.reason == .unusableName)
  }

  @Test func oddNamesAreReadAndEscaped() throws {
    try scratch.copy("rsa2048.pem", as: "a\n\u{1B}[31m\"b\\.pem")
    #expect(try names(scratch.path) == [scratch.path + #"/a\u{a}\u{1b}[31m\"b\\.pem"#])
    // A name that is not UTF-8.
    #expect(try scratch.run(#"rm *.pem; touch $'\xff\x07.pem'"#))
    let error = refusal(scratch.path)
    #expect(error?.description.hasPrefix(scratch.path + #"/\xff\u{7}.pem: "#) == true)
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
