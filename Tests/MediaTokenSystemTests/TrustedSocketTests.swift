import Foundation
import Glibc
import Testing

@testable import MediaTokenSystem

/// Who may exchange the socket of a service that we believe.
@Suite("Trusted sockets")
final class TrustedSocketTests: Sendable {
  private static let isRoot = getuid() == 0
  private static let service: uid_t = 12_345
  private static let stranger: uid_t = 12_346

  private let folder: String
  private let listener: FileDescriptor

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "mediatoken-\(UUID().uuidString.prefix(8))")
    folder = url.path(percentEncoded: false)
    for name in ["", "/outer", "/outer/inner"] { try #require(unsafe mkdir(folder + name, 0o755) == 0) }
    let address = SocketAddress.local(folder + "/outer/inner/s")
    listener = try Sockets.stream(for: address)
    try Sockets.bind(listener.number, to: address)
    setMode(0o777, of: "/outer/inner/s")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func setMode(_ mode: mode_t, of name: String) { #expect(unsafe chmod(folder + name, mode) == 0) }

  private func give(_ names: String..., to owner: uid_t) {
    for name in names { #expect(unsafe lchown(folder + name, owner, owner) == 0) }
  }

  /// Where others may exchange it; nil if they can't.
  private func distrusted(_ name: String = "/outer/inner/s") -> DistrustedPlace? {
    do throws(WalkError) {
      try TrustedPath.checkSocket(folder + name)
      return nil
    } catch {
      if case .distrusted(let place) = error { return place }
      Issue.record("\(name): \(error)")
      return nil
    }
  }

  private func path(_ name: String) -> [UInt8] { Array((folder + name).utf8) }

  @Test func ourSocketInOurFolderIsTrustedWhateverItsMode() {
    #expect(distrusted() == nil)
  }

  @Test func aSocketThatIsNotThereIsTheSystemsMatter() {
    #expect {
      try TrustedPath.checkSocket(self.folder + "/outer/inner/none")
    } throws: {
      if case .system(.missing)? = $0 as? WalkError { true } else { false }
    }
  }

  @Test(arguments: ["/outer/inner", "/outer", ""], [0o775, 0o757] as [mode_t])
  func whereOthersMayExchangeItIsNamedWithItsCure(_ name: String, _ mode: mode_t) throws {
    setMode(mode, of: name)
    let place = try #require(distrusted())
    #expect(place.path == path(name))
    #expect(place.description.hasSuffix("run: chmod go-w \(folder)\(name)"))
    setMode(0o755, of: name)
    #expect(distrusted() == nil)
  }

  @Test func inAStickyFolderOursIsTrusted() {
    setMode(0o1777, of: "/outer/inner")
    #expect(distrusted() == nil)
  }

  // As Debian's /run/redis: a service makes its socket in its own folder.
  @Test(.enabled(if: isRoot)) func theFoldersOfItsOwnerAreTrusted() {
    give("/outer/inner/s", "/outer/inner", to: Self.service)
    setMode(0o2755, of: "/outer/inner")
    #expect(distrusted() == nil)
    give("/outer", to: Self.service)
    #expect(distrusted() == nil)
    #expect(unsafe symlink("outer/inner/s", folder + "/link") == 0)
    give("/link", to: Self.service)
    #expect(distrusted("/link") == nil)
  }

  @Test(.enabled(if: isRoot)) func anotherUsersFolderIsNot() throws {
    give("/outer/inner/s", to: Self.service)
    #expect(distrusted() == nil)
    for (name, owner) in [("/outer/inner", Self.stranger), ("/outer", Self.stranger)] {
      give(name, to: owner)
      let place = try #require(distrusted())
      #expect(place.path == path(name) && place.owner == owner)
      #expect(
        place.description.contains(
          "may be changed by users other than root and \(Self.service): user \(Self.stranger) owns it"))
      give(name, to: 0)
    }
    // The socket is root's, and the folder's owner can put his own there.
    give("/outer/inner/s", to: 0)
    give("/outer/inner", to: Self.service)
    #expect(distrusted()?.path == path("/outer/inner"))
  }

  @Test(.enabled(if: isRoot)) func aFolderThatItsOwnersGroupMayWriteIsNot() {
    give("/outer/inner/s", "/outer/inner", to: Self.service)
    setMode(0o2775, of: "/outer/inner")
    #expect(distrusted()?.path == path("/outer/inner"))
  }

  // What is there now may not be whose it was before a restart.
  @Test(.enabled(if: isRoot)) func inAStickyFolderAnyoneCouldHaveMadeIt() throws {
    setMode(0o1777, of: "/outer/inner")
    give("/outer/inner/s", to: Self.service)
    let place = try #require(distrusted())
    #expect(place.path == path("/outer/inner/s"))
    let fact = "may be changed by users other than root: user \(Self.service) owns it, in a sticky folder"
    let cure = "where anyone could have made it; move the socket to a folder that only its service may write"
    #expect(place.description == "the socket \(folder)/outer/inner/s \(fact), \(cure)")
    setMode(0o755, of: "/outer/inner")
    setMode(0o1777, of: "/outer")
    give("/outer/inner", to: Self.service)
    #expect(distrusted()?.path == path("/outer/inner"))
    give("/outer/inner/s", "/outer/inner", to: 0)
    #expect(distrusted() == nil)
  }
}
