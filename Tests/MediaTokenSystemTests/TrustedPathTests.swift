import Foundation
import Glibc
import Synchronization
import Testing

@testable import MediaTokenSystem

/// Case 83: who may change what a path leads to.
@Suite("Trusted paths")
final class TrustedPathTests: Sendable {
  private static let isRoot = getuid() == 0
  /// Another user.
  private static let stranger: uid_t = 12_345

  private let folder: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "mediatoken-\(UUID().uuidString.prefix(8))")
    folder = url.path(percentEncoded: false)
    try make(folder: "")
    try make(folder: "/outer")
    try make(folder: "/outer/inner")
    try write("genuine", to: "/outer/inner/file")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func make(folder name: String) throws { try #require(unsafe mkdir(folder + name, 0o755) == 0) }

  private func write(_ text: String, to name: String) throws {
    try #require(FileManager.default.createFile(atPath: folder + name, contents: Data(text.utf8)))
    setMode(0o644, of: name)
  }

  private func setMode(_ mode: mode_t, of name: String) { #expect(unsafe chmod(folder + name, mode) == 0) }

  private func give(_ name: String, to owner: uid_t) { #expect(unsafe lchown(folder + name, owner, 0) == 0) }

  private func link(_ name: String, to destination: String) {
    #expect(unsafe symlink(destination, folder + name) == 0)
  }

  /// What the file holds to which the path leads, if it is trusted.
  private func read(_ path: String) throws(WalkError) -> String {
    let file = try TrustedPath(Array(path.utf8)).open()
    var bytes = [UInt8](repeating: 0, count: 64)
    do throws(SystemError) {
      let count = try SystemCall.read(file.number, into: &bytes, from: 0)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    } catch {
      throw .system(error)
    }
  }

  /// The place that is not trusted on the way to a name in the folder; nil if all are.
  private func distrusted(_ name: String) -> DistrustedPlace? {
    do throws(WalkError) {
      _ = try read(folder + name)
      return nil
    } catch {
      if case .distrusted(let place) = error { return place }
      Issue.record("\(name): \(error)")
      return nil
    }
  }

  private func refusal(_ path: String) -> SystemError? {
    do throws(WalkError) {
      _ = try read(path)
      return nil
    } catch {
      if case .system(let error) = error { return error }
      Issue.record("\(path): \(error)")
      return nil
    }
  }

  private func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(command)")
  }

  @Test func fileOfOursIsReadByEverySpellingOfItsPath() throws {
    for name in ["/outer/inner/file", "//outer/./inner//file", "/outer/../outer/inner/../inner/file"] {
      #expect(try read(folder + name) == "genuine")
    }
    // More than there are folders above the working directory: `..` of the root is the root.
    let up = String(repeating: "../", count: 40)
    #expect(try read(up + folder.dropFirst() + "/outer/inner/file") == "genuine")
  }

  @Test func linksAreWalkedAndNotJumped() throws {
    link("/relative", to: "outer/inner")
    link("/absolute", to: folder + "/relative/file")
    link("/outer/inner/up", to: "../../absolute")
    for name in ["/relative/file", "/absolute", "/outer/inner/up", "/relative/up", "/relative/../inner/file"] {
      #expect(try read(folder + name) == "genuine")
    }
    let end = try TrustedPath(Array((folder + "/relative/").utf8))
    #expect(end.name == nil && end.status.kind == .folder)
    #expect(try end.asFolder().path == Array((folder + "/outer/inner").utf8))
  }

  @Test func asManyLinksAreFollowedAsByTheKernel() throws {
    link("/1", to: "outer/inner/file")
    for number in 2...41 { link("/\(number)", to: "\(number - 1)") }
    #expect(try read(folder + "/40") == "genuine")
    #expect(FileManager.default.contents(atPath: folder + "/40") != nil)
    #expect(refusal(folder + "/41") == .link)
    #expect(FileManager.default.contents(atPath: folder + "/41") == nil)
  }

  @Test func whatIsNotThereIsSaidByTheSystem() throws {
    link("/dangling", to: "nowhere")
    #expect(refusal(folder + "/nowhere") == .missing)
    #expect(refusal(folder + "/dangling") == .missing)
    #expect(refusal("") == .missing)
    #expect(refusal(folder + "/outer/inner/file/") == .notFolder)
    #expect(refusal(folder + "/outer/inner/file/more") == .notFolder)
    #expect(refusal(folder + "/outer/inner") == .isFolder)
    #expect(refusal(folder + "/\0") == .invalidArgument)
  }

  @Test(arguments: ["/outer/inner/file", "/outer/inner", "/outer", ""], [0o775, 0o757] as [mode_t])
  func whatOthersMayWriteIsNamedWithItsCure(_ name: String, _ mode: mode_t) throws {
    setMode(mode, of: name)
    let place = try #require(distrusted("/outer/inner/file"))
    #expect(place.path == Array((folder + name).utf8) && place.mode == mode && place.owner == getuid())
    let trusted = Self.isRoot ? "root" : "root and \(getuid())"
    let kind = name.hasSuffix("file") ? "file" : "folder"
    #expect(
      place.description
        == "the \(kind) \(folder)\(name) may be changed by users other than \(trusted): user \(getuid()) owns it, "
        + "and its mode is 0\(String(mode, radix: 8)); run: chmod go-w \(folder)\(name)")
    try cure(place)
    #expect(distrusted("/outer/inner/file") == nil)
  }

  private func cure(_ place: DistrustedPlace) throws {
    try shell(try #require(place.description.components(separatedBy: "run: ").last))
  }

  @Test(.enabled(if: isRoot), arguments: ["/outer/inner/file", "/outer/inner", "/outer", ""])
  func whatIsAnothersIsNamedWithItsCure(_ name: String) throws {
    give(name, to: Self.stranger)
    let place = try #require(distrusted("/outer/inner/file"))
    #expect(place.path == Array((folder + name).utf8) && place.owner == Self.stranger)
    #expect(place.description.contains("user \(Self.stranger) owns it, and its mode is 0"))
    // A folder may be a service's own, which root must not take away from it.
    guard name.hasSuffix("file") else {
      let advice = "do this as user \(Self.stranger), or copy the file to a folder that only root may write"
      return #expect(place.description.hasSuffix(advice) && !place.description.contains("chown"))
    }
    #expect(place.description.hasSuffix("do this as user \(Self.stranger), or run: chown root: \(folder)\(name)"))
    try cure(place)
    #expect(distrusted("/outer/inner/file") == nil)
  }

  @Test(.enabled(if: isRoot)) func oneCommandCuresOwnerAndMode() throws {
    let file = "/outer/inner/file"
    give(file, to: Self.stranger)
    setMode(0o646, of: file)
    let place = try #require(distrusted(file))
    #expect(place.description.hasSuffix("run: chown root: \(folder)\(file) && chmod go-w \(folder)\(file)"))
    try cure(place)
    #expect(distrusted("/outer/inner/file") == nil)
  }

  @Test(.enabled(if: isRoot)) func linkOfAnotherDecidesNothing() throws {
    link("/outer/link", to: "inner/file")
    #expect(distrusted("/outer/link") == nil)
    give("/outer/link", to: Self.stranger)
    let place = try #require(distrusted("/outer/link"))
    #expect(place.path == Array((folder + "/outer/link").utf8))
    #expect(place.description.hasSuffix("run: chown -h root: \(folder)/outer/link"))
    try cure(place)
    #expect(distrusted("/outer/link") == nil)
  }

  // A link of ours leads into a folder of another's: what is on that way counts, and is named as it really is.
  @Test(.enabled(if: isRoot)) func wayOfALinkIsWalkedToo() throws {
    link("/key", to: folder + "/outer/inner/../inner/file")
    give("/outer", to: Self.stranger)
    #expect(distrusted("/key")?.path == Array((folder + "/outer").utf8))
    give("/outer", to: 0)
    give("/outer/inner", to: Self.stranger)
    #expect(distrusted("/key")?.path == Array((folder + "/outer/inner").utf8))
  }

  @Test(.enabled(if: isRoot)) func inAStickyFolderOnlyWhatIsOursIsTrusted() throws {
    setMode(0o1777, of: "/outer")
    #expect(distrusted("/outer/inner/file") == nil)
    try write("planted", to: "/outer/planted")
    give("/outer/planted", to: Self.stranger)
    #expect(distrusted("/outer/planted")?.owner == Self.stranger)
    try make(folder: "/outer/his")
    try write("planted", to: "/outer/his/file")
    give("/outer/his", to: Self.stranger)
    #expect(distrusted("/outer/his/file")?.path == Array((folder + "/outer/his").utf8))
    link("/outer/link", to: "inner/file")
    give("/outer/link", to: Self.stranger)
    #expect(distrusted("/outer/link")?.owner == Self.stranger)
  }

  @Test func fifoAndSocketAreNotOpened() throws {
    #expect(unsafe mkfifo(folder + "/fifo", 0o600) == 0)
    let end = try TrustedPath(Array((folder + "/fifo").utf8))
    #expect(end.status.kind == .fifo)
  }

  // A thread that exchanges links as fast as it can gets nothing read that is not on a trusted way.
  @Test(.enabled(if: isRoot)) func exchangedLinkNeverLeadsAstray() throws {
    try make(folder: "/his")
    try write("planted", to: "/his/file")
    give("/his", to: Self.stranger)
    let (name, folder) = (folder + "/way", folder)
    link("/way", to: "outer/inner")
    let isOver = Atomic<Bool>(false)
    let swapping = try WorkerThread {
      var turns = 0
      while !isOver.load(ordering: .relaxed) {
        turns += 1
        let destination = folder + (turns.isMultiple(of: 2) ? "/outer/inner" : "/his")
        unsafe symlink(destination, folder + "/next")
        unsafe rename(folder + "/next", name)
      }
    }
    var (read, refused) = (0, 0)
    var tries = 0
    while read < 200 || refused < 200, tries < 10_000_000 {
      tries += 1
      do throws(WalkError) {
        #expect(try self.read(name + "/file") == "genuine")
        read += 1
      } catch {
        guard case .distrusted(let place) = error else {
          Issue.record("\(error)")
          break
        }
        #expect(place.path == Array((folder + "/his").utf8))
        refused += 1
      }
    }
    isOver.store(true, ordering: .relaxed)
    swapping.join()
    #expect(read >= 200 && refused >= 200)
  }
}
