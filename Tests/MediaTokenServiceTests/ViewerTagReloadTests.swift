import Glibc
import MediaToken
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// The key of pseudonyms, when the daemon starts, checks its configuration, and reloads.
@Suite struct ViewerTagReloadTests {
  private let installation: Installation

  init() throws {
    installation = try Installation()
    installation.write("tags.key", ViewerTagTests.key)
    installation.write("config.json", installation.configuration(setting()))
  }

  private func setting(hours: Int = 24) -> String {
    #", "viewerTag": {"key": "\#(installation.folder)/tags.key", "rotateHours": \#(hours)}"#
  }

  /// The tag of an account that never changes, by the current state; nil if it has no tag.
  private func tag(_ daemon: Daemon) -> [UInt8]? {
    daemon.service.current.latest.viewerTags?
      .tag(of: "account", for: "REF30", at: Instant(millisecondsSinceEpoch: 1_763_856_000_000))
  }

  @Test func `a reload takes another key, another rotation, and none`() throws {
    let daemon = try installation.daemon()
    let first = try #require(tag(daemon))
    daemon.reload()
    #expect(tag(daemon) == first)
    installation.write("tags.key", ViewerTagTests.otherKey)
    daemon.reload()
    let second = try #require(tag(daemon))
    #expect(second != first)
    installation.write("config.json", installation.configuration(setting(hours: 1)))
    daemon.reload()
    #expect(try #require(tag(daemon)) != second)
    installation.write("config.json", installation.configuration())
    daemon.reload()
    #expect(tag(daemon) == nil)
  }

  @Test func `a changed key is noticed without a signal`() throws {
    let daemon = try installation.daemon()
    let first = tag(daemon)
    daemon.tick(at: 1_000_000_000)
    installation.write("tags.key", ViewerTagTests.otherKey)
    daemon.tick(at: 2_000_000_000)
    #expect(tag(daemon) == first)
    daemon.tick(at: 3_000_000_000)
    #expect(tag(daemon) != first)
  }

  @Test(arguments: [
    "", "no key", String(ViewerTagTests.key.dropLast(2)), ViewerTagTests.key + "\n\n", ViewerTagTests.key + "0",
    ViewerTagTests.key.dropLast() + "g", ViewerTagTests.key + "\n" + ViewerTagTests.key,
    ViewerTagTests.otherKey + "00",
    "MODE 644", "MODE 660", "MODE 604", "FOLDER", "DEVICE", "NONE",
  ])
  func `a bad key is an error that names file and setting`(mistake: String) throws {
    let daemon = try installation.daemon()
    let first = tag(daemon)
    let path = installation.folder + "/tags.key"
    switch mistake {
    case _ where mistake.hasPrefix("MODE "):
      #expect(unsafe chmod(path, mode_t(mistake.dropFirst(5), radix: 8) ?? 0) == 0)
    case "FOLDER": #expect(unsafe unlink(path) == 0 && mkdir(path, 0o700) == 0)
    case "DEVICE": #expect(unsafe unlink(path) == 0 && symlink("/dev/zero", path) == 0)
    case "NONE": #expect(unsafe unlink(path) == 0)
    default: installation.write("tags.key", mistake)
    }
    daemon.reload()
    let logged = installation.logged()
    #expect(logged.contains("reload-failed") && logged.contains("viewerTag.key: \(path)"), "\(logged)")
    #expect(mistake.isEmpty || !logged.contains(mistake.prefix(30)))
    #expect(tag(daemon) == first)
    let source = ConfigurationSource.file(installation.folder + "/config.json")
    for error in [
      Diagnosis(of: source).error,
      #expect(throws: Problem.self) { _ = try Daemon(source, installation.log) },
    ] {
      #expect(error?.code == "viewerTag.key")
      #expect(error?.description.hasPrefix(installation.folder + "/config.json: viewerTag.key: ") == true)
    }
  }
}
