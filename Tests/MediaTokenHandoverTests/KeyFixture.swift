import Foundation
import MediaToken
import MediaTokenHandover

/// The keys of Tests/Fixtures/handover, copied to where only we may read them: a checkout does not keep modes.
final class KeyFixture: Sendable {
  static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/handover")
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mt-h-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a file with this text.
  func file(_ text: String, mode: Int = 0o600, named name: String? = nil) throws -> String {
    let path = folder.appendingPathComponent(name ?? "\(UInt64.random(in: 0 ... .max))").path
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else {
      throw CocoaError(.fileWriteUnknown)
    }
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  /// The path of a fixture's copy.
  func key(_ name: String) throws -> String {
    try file(try String(contentsOf: Self.fixtures.appendingPathComponent(name), encoding: .utf8))
  }

  /// A key that the format takes.
  func key(for format: HandoverFormat) throws -> String {
    switch format {
    case .nginxSecureLink: try key("nginx.key")
    case .akamaiEdgeAuth, .commonAccessToken, .jwtHS256: try key("hmac.key")
    case .cloudFrontCookie: try key("rsa.private.pem")
    case .jwtES256: try key("ec.private.pem")
    }
  }
}

extension HandoverTerms {
  /// Terms that any format takes.
  static func usual(
    _ format: HandoverFormat, path: String = "/live/tnt/", lifeSeconds: Int = 3600
  ) throws(Problem) -> HandoverTerms {
    let needsKeyID = format == .cloudFrontCookie || format == .commonAccessToken
    return try HandoverTerms(
      format: format, path: path, lifeSeconds: lifeSeconds, keyID: needsKeyID ? "k1" : nil,
      host: format == .cloudFrontCookie ? "cdn.example.com" : nil)
  }
}
