import Glibc
import MediaToken
import MediaTokenIssuer
import MediaTokenSystem
import Testing

@testable import MediaTokenHTTP
@testable import MediaTokenService

/// A folder with a configuration, a key and a table.
final class Installation {
  let folder: String
  let log: Log
  let logReader: Int32

  init() throws {
    var template = Array("/tmp/mediatoken-reload-XXXXXX".utf8CString)
    _ = unsafe mkdtemp(&template)
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else { throw SystemError(code: errno) }
    logReader = ends[0]
    log = try Log(descriptor: ends[1])
    write("key.pem", try ServiceFixture.keyPair.get().publicKeyPEM())
    write("config.json", configuration())
  }

  deinit {
    for name in ["key.pem", "config.json", "table", "tags.key", "handover.key"] {
      _ = unsafe unlink(folder + "/" + name)
    }
    _ = unsafe rmdir(folder)
  }

  func configuration(_ change: String = "", tenants: String = #"[{"requestor": "REF30"}]"#) -> String {
    """
    {"socket": {"path": "\(folder)/socket"}, "keys": ["\(folder)/key.pem"], "tenants": \(tenants),
     "replay": {"address": "shared:\(folder)/table?capacity=1000"}\(change)}
    """
  }

  func write(_ name: String, _ text: String) {
    let new = folder + "/new"
    let descriptor = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = unsafe Glibc.write(descriptor, text, text.utf8.count)
    close(descriptor)
    _ = unsafe rename(new, folder + "/" + name)
  }

  /// Changes the file's bytes and nothing else that can be chosen.
  func overwriteKeepingTimes(_ name: String) -> Bool {
    let descriptor = unsafe open(folder + "/" + name, O_RDWR)
    defer { close(descriptor) }
    var (before, now) = (stat(), stat())
    guard unsafe fstat(descriptor, &before) == 0 else { return false }
    let times = [before.st_atim, before.st_mtim]
    repeat {
      // The clock of the file system goes by milliseconds.
      guard unsafe pwrite(descriptor, "#", 1, 0) == 1, unsafe futimens(descriptor, times) == 0,
        unsafe fstat(descriptor, &now) == 0
      else { return false }
    } while now.st_ctim.tv_sec == before.st_ctim.tv_sec && now.st_ctim.tv_nsec == before.st_ctim.tv_nsec
    return now.st_mtim.tv_nsec == before.st_mtim.tv_nsec && now.st_size == before.st_size
  }

  func daemon() throws -> Daemon { try Daemon(.file(folder + "/config.json"), log) }

  func logged() -> String { log.written(to: logReader) }
}

extension Daemon {
  /// The verdict on a token, or the error.
  fileprivate func verdict(_ token: [UInt8], _ query: String = "requestor=REF30&resource=TNT") -> String {
    let response = Handler(service).answer("POST", "/v1/verify?\(query)", [], token)
    let body = String(decoding: response.body, as: UTF8.self)
    return String(body.dropFirst(2).split(separator: "\"")[2])
  }

  fileprivate var isReloaded: Bool {
    service.metrics.lastReloadSuccessful.load(ordering: .sequentiallyConsistent)
  }
}

@Suite struct ReloadTests {
  @Test func newKeysReplaceOldOnesAtOnce() throws {
    let installation = try Installation()
    let daemon = try daemon(installation)
    // A new table vouches only for tokens from now on; a token from the future's edge is one of them.
    let old = try ServiceFixture.token()
    #expect(["VALID_TOKEN", "TOKEN_PREDATES_REPLAY_MEMORY"].contains(daemon.verdict(old)))
    let pair = try DevelopmentKeyPair.generate()
    installation.write("key.pem", try pair.publicKeyPEM())
    daemon.reload()
    #expect(daemon.isReloaded)
    #expect(daemon.verdict(old) == "INVALID_SIGNATURE")
    #expect(installation.logged().contains("\"event\":\"reloaded\""))
  }

  @Test(arguments: [
    "{", #"{"socket": 1}"#, "KEY", "SOCKET", "REPLAY", "LOOSER", "DEVELOPMENT", "THREADS",
  ])
  func anyErrorKeepsTheOldSetAndSaysWhy(mistake: String) throws {
    let installation = try Installation()
    let daemon = try daemon(installation)
    let token = try ServiceFixture.token(requestor: "OTHER")
    switch mistake {
    case "KEY": installation.write("key.pem", "no key")
    case "SOCKET":
      installation.write("config.json", installation.configuration().replacing("/socket\"", with: "/elsewhere\""))
    case "REPLAY":
      installation.write(
        "config.json", installation.configuration().replacing("capacity=1000", with: "capacity=2000"))
    case "THREADS": installation.write("config.json", installation.configuration(", \"threads\": 63"))
    case "LOOSER":
      let tenants = #"[{"requestor": "REF30", "expiryToleranceMilliseconds": 1000}]"#
      installation.write("config.json", installation.configuration(tenants: tenants))
    case "DEVELOPMENT":
      let keys = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/keys/development.pem"
      _ = try TrustedFileCopy.copy(keys, to: installation.folder + "/key.pem")
    default: installation.write("config.json", mistake)
    }
    daemon.reload()
    #expect(!daemon.isReloaded)
    let logged = installation.logged()
    #expect(logged.contains("\"event\":\"reload-failed\""))
    #expect(logged.contains(installation.folder), "names the file: \(logged)")
    // The old key and the old tenants stay in use.
    #expect(daemon.verdict(token) == "INVALID_REQUESTOR_ID")
    installation.write("key.pem", try ServiceFixture.keyPair.get().publicKeyPEM())
    installation.write("config.json", installation.configuration(tenants: #"[{"requestor": "OTHER"}]"#))
    daemon.reload()
    #expect(daemon.isReloaded)
    #expect(daemon.verdict(token, "requestor=OTHER&resource=TNT") != "INVALID_REQUESTOR_ID")
  }

  @Test func changedFilesAreNoticedWhenTheyAreSettled() throws {
    let installation = try Installation()
    let daemon = try daemon(installation)
    let token = try ServiceFixture.token(requestor: "OTHER")
    daemon.tick()
    #expect(!installation.logged().contains("reload"))
    installation.write("config.json", installation.configuration(tenants: #"[{"requestor": "OTHER"}]"#))
    let time = MonotonicTime.now
    daemon.tick(at: time)
    daemon.tick(at: time + 999_999_999)
    #expect(daemon.verdict(token, "requestor=OTHER&resource=TNT") == "INVALID_REQUESTOR_ID")
    daemon.tick(at: time + 1_000_000_000)
    #expect(daemon.verdict(token, "requestor=OTHER&resource=TNT") != "INVALID_REQUESTOR_ID")
    #expect(daemon.isReloaded)
    _ = installation.logged()
    daemon.tick(at: time + 3_000_000_000)
    daemon.tick(at: time + 9_000_000_000)
    #expect(!installation.logged().contains("reload"))
  }

  /// A copy that keeps the times of the original, of the same length: only the file system's own time shows it.
  @Test func fileThatIsOverwrittenWithItsTimesKeptIsNoticed() throws {
    let installation = try Installation()
    var watch = FileWatch([installation.folder + "/key.pem"])
    #expect(installation.overwriteKeepingTimes("key.pem"))
    #expect(settledChanges(&watch) == [false, true, false])
  }

  /// Whether there is one at each of three looks.
  private func settledChanges(_ watch: inout FileWatch) -> [Bool] {
    var changes: [Bool] = []
    for time: UInt64 in [0, 1_000_000_000, 9_000_000_000] { changes.append(watch.hasSettledChange(at: time)) }
    return changes
  }

  /// The configuration is watched before it is read, and the files that it names only after that.
  @Test func changeBetweenReadingAndFollowingIsNoticed() throws {
    let installation = try Installation()
    let paths = ["config.json", "key.pem"].map { "\(installation.folder)/\($0)" }
    var watch = FileWatch([paths[0]])
    installation.write("config.json", installation.configuration("\n"))
    watch.follow(paths)
    #expect(settledChanges(&watch) == [false, true, false])
    installation.write("key.pem", "x")
    watch.follow([paths[0]])
    #expect(settledChanges(&watch) == [false, false, false])
  }

  @Test func handoversKeyIsWatchedAndABadOneKeepsTheOld() throws {
    let installation = try Installation()
    let (folder, good) = (installation.folder, String(repeating: "a1", count: 32))
    func tenants(life: Int) -> String {
      #"[{"requestor": "REF30", "handover": {"format": "jwt-hs256", "key": "\#(folder)/handover.key", "path": "/", "lifeSeconds": \#(life)}}]"#
    }
    installation.write("handover.key", good)
    installation.write("config.json", installation.configuration(tenants: tenants(life: 60)))
    let daemon = try daemon(installation)
    func handover() throws -> Handover { try #require(daemon.service.current.latest.tenants[0].handover) }
    let first = try handover()
    installation.write("handover.key", String(repeating: "b2", count: 32))
    let time = MonotonicTime.now
    daemon.tick(at: time)
    #expect(try handover() === first)
    daemon.tick(at: time + 1_000_000_000)
    let second = try handover()
    #expect(second !== first && daemon.isReloaded)
    _ = installation.logged()
    installation.write("handover.key", "too short")
    installation.write("config.json", installation.configuration(tenants: tenants(life: 61)))
    daemon.reload()
    #expect(try handover() === second && !daemon.isReloaded)
    let logged = installation.logged()
    #expect(logged.contains("tenants[0].handover.key: \(folder)/handover.key: not one line"))
    #expect(!logged.contains("too short"))
    #expect(Diagnosis(of: .file(folder + "/config.json")).error?.code == "tenants[0].handover.key")
    installation.write("handover.key", good)
    daemon.reload()
    #expect(try handover().settings.lifeSeconds == 61)
  }

  @Test func developmentKeyDoesNotStart() throws {
    let installation = try Installation()
    let keys = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/keys/development.pem"
    _ = try TrustedFileCopy.copy(keys, to: installation.folder + "/key.pem")
    let error = #expect(throws: Problem.self) { try installation.daemon() }
    #expect(error?.description.contains("development key") == true)
    #expect(error?.code == "keys")
  }

  @Test func deletedTableIsNoticedWithoutARequest() throws {
    let installation = try Installation()
    let daemon = try daemon(installation)
    daemon.tick()
    _ = unsafe unlink(installation.folder + "/table")
    daemon.tick()
    daemon.tick()
    let lines = installation.logged().split(separator: "\n").filter { $0.contains("\"event\":\"not-ready\"") }
    // New, and then lost; each is said once.
    #expect(lines.count == 2)
    #expect(lines.last?.contains("\"reason\":\"replay-memory-lost\"") == true)
    #expect(daemon.verdict(try ServiceFixture.token()) == "REPLAY_MEMORY_UNAVAILABLE")
  }

  @Test func reloadsUnderLoadAnswerEveryRequestRightly() throws {
    let installation = try Installation()
    let daemon = try daemon(installation)
    let garbage = Array("garbage".utf8)
    let service = daemon.service
    let wrong = Monitor(0)
    let isOver = Monitor(false)
    let workers = try (0..<2).map { _ in
      try WorkerThread {
        let handler = Handler(service)
        while !isOver.change({ $0 }) {
          let response = handler.answer("POST", "/v1/verify?requestor=REF30&resource=TNT", [], garbage)
          if response.status != 403 { wrong.change { $0 += 1 } }
        }
      }
    }
    for _ in 0..<50 { daemon.reload() }
    isOver.change { $0 = true }
    for worker in workers { worker.join() }
    #expect(wrong.change { $0 } == 0)
    #expect(daemon.isReloaded)
  }

  private func daemon(_ installation: Installation) throws -> Daemon { try installation.daemon() }
}
