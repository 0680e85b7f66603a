import Foundation
import MediaToken

@testable import MediaTokenHandover
@testable import MediaTokenService

/// Keys of Tests/Fixtures/handover where only we may read them, and configurations that name them.
final class HandoverFixture {
  private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fixtures/handover")
  let folder = FileManager.default.temporaryDirectory.appending(path: "mt-service-\(UInt64.random(in: 0 ... .max))")

  init() throws {
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a file with this text, put there in one step.
  func file(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    let (new, path) = (folder.appending(path: "new").path, folder.appending(path: name).path)
    guard FileManager.default.createFile(atPath: new, contents: Data(text.utf8)) else {
      throw CocoaError(.fileWriteUnknown)
    }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: new)
    guard unsafe rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return path
  }

  /// The path of a key that the format takes, of which no other format has one of the same name.
  func key(for format: HandoverFormat) throws -> String {
    let name =
      switch format {
      case .nginxSecureLink: "nginx.key"
      case .akamaiEdgeAuth, .commonAccessToken, .jwtHS256: "hmac.key"
      case .cloudFrontCookie: "rsa.private.pem"
      case .jwtES256: "ec.private.pem"
      }
    return try file(
      format.rawValue, try String(contentsOf: Self.fixtures.appending(path: name), encoding: .utf8))
  }

  /// A member `handover` that the format takes.
  func member(_ format: HandoverFormat, path: String = "/live/tnt/", _ more: String = "") throws -> String {
    let needsKeyID = format == .cloudFrontCookie || format == .commonAccessToken
    return #""handover": {"format": "\#(format.rawValue)", "key": "\#(try key(for: format))", "lifeSeconds": 600, "#
      + #""path": "\#(path)""# + (needsKeyID ? #", "keyID": "k1""# : "")
      + (format == .cloudFrontCookie ? #", "host": "cdn.example.com""# : "") + (more.isEmpty ? "" : ", \(more)")
      + "}"
  }

  /// A section `auth` whose route `/live` hands over.
  func auth(_ format: HandoverFormat, _ more: String = "") throws -> String {
    let handover = try member(format, more)
    return
      #""auth": {"tokenHeader": "X-Token", "routes": [{"prefix": "/live", "requestor": "REF30", "resource": "TNT", \#(handover)}, {"prefix": "/vod", "requestor": "REF30", "resource": "TNT"}]}"#
  }
}
