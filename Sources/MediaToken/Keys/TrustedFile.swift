internal import MediaTokenSystem

/// Files that decide whom to trust: they must be regular and small, and only root and we may change them.
package enum TrustedFile {
  /// A folder is refused.
  package static func contents(_ path: String) throws(Problem) -> [UInt8] {
    let origin = KeyOrigin(name: Array(path.utf8))
    return try origin.blamed { () throws(Problem) in
      try OpenFile(walk(to: origin.name), named: origin.name).contents()
    }
  }

  /// The same of a file with secrets, whose mode may be 0640 at most.
  package static func secret(_ path: String) throws(Problem) -> [UInt8] {
    let origin = KeyOrigin(name: Array(path.utf8))
    return try origin.blamed { () throws(Problem) in
      let file = try OpenFile(walk(to: origin.name), named: origin.name)
      guard file.status.mode & ~0o640 == 0 else {
        throw Problem(
          "expected mode 0600 or 0640, found 0\(String(file.status.mode, radix: 8))",
          cure:
            "run: chmod 0600 \(DisplayText.shellWord(origin.name)), and replace the secrets in it if others could read them"
        )
      }
      return try file.contents()
    }
  }

  /// The state of the file at this path, or of every key file in the folder there: its identity, owner, time and size. Two
  /// equal stamps say that nothing was replaced in between; files that do not exist are equal.
  package static func stamp(_ path: String) -> Stamp {
    guard let status = try? FileStatus(ofFileAt: path) else { return Stamp(statuses: [nil]) }
    guard status.kind == .folder,
      let folder = try? FolderStream(FileDescriptor(opening: path, for: .reading, .folder)),
      let names = try? folder.names(atMost: Limits.keyFilesPerFolder, where: KeyFolder.isKeyFile)
    else { return Stamp(statuses: [status]) }
    let sorted = names.sorted { $0.lexicographicallyPrecedes($1) }
    return Stamp(statuses: [status] + sorted.map { try? FileStatus(of: $0, in: folder.number) })
  }

  /// The state of files at one moment.
  package struct Stamp: Sendable, Equatable {
    fileprivate let statuses: [FileStatus?]
  }
}
