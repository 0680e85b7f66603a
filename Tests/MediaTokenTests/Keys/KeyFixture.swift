import Foundation
import Testing

@testable import MediaToken

/// The files in `Tests/Fixtures/keys` and `keys`.
enum KeyFixture {
  /// The password of every keystore.
  static let password = "changeit"

  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func bytes(_ name: String) throws -> [UInt8] {
    try Array(Data(contentsOf: repository.appending(path: "Tests/Fixtures/keys/\(name)")))
  }

  /// Hands over the fixture once for each of its bytes and each of these masks, with that byte changed, and says which it is.
  static func forEachCorruption(
    of name: String, by masks: [UInt8] = [0x01, 0x80, 0xFF], _ body: ([UInt8], String) -> Void
  ) throws {
    let bytes = try bytes(name)
    for index in bytes.indices {
      for mask in masks {
        var corrupted = bytes
        corrupted[index] ^= mask
        body(corrupted, "byte \(index) ^ \(mask)")
      }
    }
  }

  /// What OpenSSL's command says the fingerprint is.
  static func fingerprint(_ name: String) throws -> Fingerprint {
    let lines = String(decoding: try bytes("fingerprints.txt"), as: UTF8.self).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix(name + " ") })
    return try #require(Fingerprint(hexadecimal: String(line.dropFirst(name.count + 1))))
  }

  /// The fixture's keys, read from memory.
  static func keys(
    _ name: String, consent: WeakKeyConsent = .any, password: String? = nil
  ) throws -> [TrustedKey] {
    try keys(bytes(name), named: name, consent: consent, password: password)
  }

  static func keys(
    _ bytes: [UInt8], named name: String = "key", consent: WeakKeyConsent = .any, password: String? = nil
  ) throws(Problem) -> [TrustedKey] {
    try TrustedKeys(parsing: [KeyFile(name: name, bytes: bytes)], consent: consent, keystorePassword: password).keys
  }

  /// Why the fixture is refused, or nil if it isn't.
  static func refusal(
    _ name: String, consent: WeakKeyConsent = .any, password: String? = nil
  ) throws -> Problem? {
    try refusal(bytes(name), consent: consent, password: password)
  }

  static func refusal(
    _ bytes: [UInt8], consent: WeakKeyConsent = .any, password: String? = nil
  ) -> Problem? {
    error { () throws(Problem) in _ = try keys(bytes, consent: consent, password: password) }?.reason
  }

  /// What `body` throws.
  static func error(_ body: () throws(Problem) -> Void) -> Problem? {
    do throws(Problem) {
      try body()
      return nil
    } catch {
      return error
    }
  }
}

/// A folder of its own for one test, removed afterwards.
final class ScratchFolder: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "mediatoken-\(UUID().uuidString.prefix(8))")
    path = url.path(percentEncoded: false)
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a name in the folder.
  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file and returns its path.
  @discardableResult
  func write(_ bytes: [UInt8], as name: String, mode: Int = 0o600) throws -> String {
    let path = path(name)
    try #require(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    try setMode(mode, of: name)
    return path
  }

  /// Copies a fixture and returns its path.
  @discardableResult
  func copy(_ fixture: String, as name: String? = nil, mode: Int = 0o600) throws -> String {
    try write(KeyFixture.bytes(fixture), as: name ?? fixture, mode: mode)
  }

  func setMode(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
  }

  /// Runs a command in bash, in this folder and without a terminal, and returns whether it exits 0.
  func run(_ command: String, input: String = "") throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/setsid")
    process.arguments = ["--wait", "bash", "-c", command]
    process.currentDirectoryURL = URL(filePath: path)
    // A file and not a pipe: a command that does not read its input would end us with SIGPIPE.
    let inputFile = path("input \(UUID().uuidString)")
    try Data(input.utf8).write(to: URL(filePath: inputFile))
    defer { try? FileManager.default.removeItem(atPath: inputFile) }
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: inputFile))
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
