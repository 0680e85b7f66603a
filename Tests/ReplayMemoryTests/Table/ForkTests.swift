import Glibc
import Testing

@testable import MediaToken

@_silgen_name("fork") private func cFork() -> Int32

@Suite("A table across fork")
struct ForkTests {
  /// Case 143: a child shares its parent's lock, so it must neither spend nor leave, and its parent leaves cleanly.
  ///
  /// In a process of its own: of other tests' threads one may be in the first throw of a process when this forks, and then the child's
  /// own throw waits for it for ever.
  @Test func forkedChildNeitherSpendsNorLeaves() async {
    await #expect(processExitsWith: .success) {
      let fixture = try TableFixture()
      try fixture.create()
      var table: SharedReplayTable? = try fixture.open()
      let claim = UseClaim(
        identity: TokenIdentity(digest: SHA256Digest(words: 1, 2, 3, 4)), issueTime: .now,
        ttlMilliseconds: 300_000, now: .now, request: nil)
      let child = cFork()
      if child == 0 {
        // Nothing but the spend: other threads' locks may be held forever in a child.
        _exit((try? table?.spend(claim)) == nil ? 0 : 1)
      }
      var status: Int32 = -1
      #expect(unsafe waitpid(child, &status, 0) == child)
      #expect(status == 0)
      #expect(try table?.spend(claim) == .firstUse)
      #expect(try fixture.read(.clean) == 0)
      table = nil
      #expect(try fixture.read(.clean) == 1)
    }
  }
}
