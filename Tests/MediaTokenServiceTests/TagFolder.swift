import Foundation

/// A folder of our own with keys of pseudonyms.
final class TagFolder: Sendable {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("mt-tags-\(UInt64.random(in: 0 ... .max))")

  init() {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The path of a new file with this text.
  func write(_ text: String, mode: Int = 0o600) -> String {
    let path = folder.appendingPathComponent("\(UInt64.random(in: 0 ... .max))").path
    let isWritten = FileManager.default.createFile(
      atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: mode])
    precondition(isWritten)
    return path
  }
}
