import Foundation
import Testing

@testable import MediaToken

/// What a new table sees of those before it.
@Suite("Former tables")
struct FormerTablesTests {
  let fixture: TableFixture
  var now: Int64 { fixture.now }

  init() throws { fixture = try TableFixture() }

  @Test(arguments: ["replay.table.old", "old-replay.table", "replay.table~"])
  func tableForAllTokensIsNotMadeNextToOneThatIsOpen(_ name: String) throws {
    try fixture.create()
    let held = try fixture.open()
    let aside = fixture.folder + "/" + name
    try fixture.move(fixture.path, to: aside)
    #expect(refusal(.allTokens) == TableProblem.former(aside, .isOpen))
    #expect(refusal(.tokensFromNowOn) == nil)
    withExtendedLifetime(held) {}
  }

  @Test func norNextToOneThatRemembersLivingTokens() throws {
    try fixture.create()
    #expect(try fixture.open().spend(claim(1, issued: now, life: 3600, now: now)) == .firstUse)
    #expect(try fixture.open().spend(claim(2, issued: now - 60, life: 61, now: now)) == .firstUse)
    let aside = fixture.path + ".old"
    try fixture.move(fixture.path, to: aside)
    let refused = refusal(.allTokens)
    #expect((1...2).contains { refused == TableProblem.former(aside, .remembers($0)) })
    #expect(refusal(.tokensFromNowOn) == nil)
  }

  @Test func norNextToOneThatCannotBeRead() throws {
    try fixture.create()
    try fixture.write(1, .version)
    let aside = fixture.path + ".old"
    try fixture.move(fixture.path, to: aside)
    #expect(refusal(.allTokens) == TableProblem.former(aside, .isUnreadable))
    #expect(refusal(.tokensFromNowOn) == nil)
  }

  @Test func onesThatKnowNothingAndOtherFilesAreNoObstacle() throws {
    try fixture.create()
    #expect(try fixture.open().spend(claim(1, issued: now, life: 60, now: now)) == .firstUse)
    // All of it was two hours ago.
    for field in [TableFormat.Field.epoch, .highest] { try fixture.write(try fixture.read(field) - 7200, field) }
    try fixture.move(fixture.path, to: fixture.path + ".old")
    try Data(count: 10_000).write(to: URL(filePath: fixture.path + ".txt"))
    try FileManager.default.createSymbolicLink(
      atPath: fixture.path + ".link", withDestinationPath: fixture.path + ".old")
    try FileManager.default.createDirectory(atPath: fixture.path + ".d", withIntermediateDirectories: false)
    #expect(refusal(.allTokens) == nil)
  }

  @Test func otherTablesOfTheFolderAreOthers() throws {
    try fixture.create()
    let held = try fixture.open()
    for name in ["another", "y.table"] { try make(fixture.folder + "/" + name) }
    withExtendedLifetime(held) {}
  }

  private func make(_ other: String) throws {
    #expect(
      try SharedReplayTable.create(at: other, capacity: 10, policy: .standard, mode: 0o600, vouchesFor: .allTokens))
  }

  @Test(arguments: [SharedReplayTable.Vouching.allTokens, .tokensFromNowOn])
  func clockThatIsBehindTheFoldersIsRefused(_ vouching: SharedReplayTable.Vouching) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 3600)], ofItemAtPath: fixture.folder)
    let refused = refusal(vouching)
    #expect((3000...3600).contains { refused == TableProblem.clockBehind(seconds: $0) })
  }

  @Test func threeSecondsAfterAChangeFormerUsersHaveNoticed() throws {
    func left() throws -> Int64 {
      try SharedReplayTable.millisecondsUntilFormerUsersHaveNoticed(ofTableAt: fixture.path)
    }
    for (secondsAgo, milliseconds) in [(-60.0, 3000), (4, 0)] as [(Double, Int64)] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: fixture.folder)
      #expect(try left() == milliseconds)
    }
    // A second ago, unless this machine has let some pass since.
    let before = wallClock()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -1)], ofItemAtPath: fixture.folder)
    let found = try left()
    #expect(found <= 2000 && found >= 2000 - (wallClock() - before + 1) * 1000)
  }

  private func refusal(_ vouching: SharedReplayTable.Vouching) -> Problem? {
    do throws(Problem) {
      _ = try SharedReplayTable.create(
        at: fixture.path, capacity: 100, policy: .standard, mode: 0o600, vouchesFor: vouching)
      return nil
    } catch {
      return error.reason
    }
  }
}
