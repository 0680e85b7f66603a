internal import MediaTokenSystem

/// Key files by their path: one file, or those of one folder.
package enum KeyFolder {
  /// The endings of the names of those files in a folder that are read (<doc:TokenFormat>, "Signature").
  static let endings = [".pem", ".der", ".crt", ".cer", ".jks"]

  /// The ending of a private key's name, as `mediatoken keys generate` writes it next to the public one: such a file is passed
  /// over, so that the folder with both is a folder of keys.
  package static let privateEnding = ".private.pem"

  /// Calls `body` for the file, or for each key file in the folder, in the order of the names' bytes. Success says that all
  /// of it was there at one moment: nothing was added, removed or replaced meanwhile.
  static func read(
    _ path: [UInt8], _ body: (_ name: [UInt8], _ bytes: [UInt8]) throws(Problem) -> Void
  ) throws(Problem) {
    let origin = KeyOrigin(name: path)
    let end = try origin.blamed { () throws(Problem) in try TrustedFile.walk(to: path) }
    if end.status.kind == .folder {
      let folder: OpenFolder
      do throws(WalkError) {
        folder = try OpenFolder(end)
      } catch {
        throw Problem(opening: path, error).about("\(origin)")
      }
      try read(folder, origin, body)
    } else {
      try body(path, origin.blamed { () throws(Problem) in try OpenFile(end, named: path).contents() })
    }
  }

  static func isKeyFile(_ name: [UInt8]) -> Bool {
    func ends(in ending: String) -> Bool { name.suffix(ending.utf8.count).elementsEqual(ending.utf8) }
    return name.first != UInt8(ascii: ".") && endings.contains(where: ends) && !ends(in: privateEnding)
  }

  private static func read(
    _ folder: borrowing OpenFolder, _ origin: KeyOrigin,
    _ body: (_ name: [UInt8], _ bytes: [UInt8]) throws(Problem) -> Void
  ) throws(Problem) {
    let names = try keyFiles(in: folder, origin)
    guard !names.isEmpty else { throw Problem.emptyFolder.about("\(origin)") }
    var statuses: [FileStatus?] = []
    for name in names {
      let path = origin.name + (origin.name.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + name
      let place = KeyOrigin(name: path)
      let file = try place.blamed { () throws(Problem) in try folder.file(name, at: path) }
      statuses.append(file.status)
      try body(path, place.blamed { () throws(Problem) in try file.contents() })
    }
    // Two generations of one set must not be mixed: secrets are replaced by moving a link.
    guard try keyFiles(in: folder, origin) == names, names.map({ folder.status(of: $0) }) == statuses else {
      throw Problem.changedWhileRead.about("\(origin)")
    }
  }

  private static func keyFiles(
    in folder: borrowing OpenFolder, _ origin: KeyOrigin
  ) throws(Problem) -> [[UInt8]] {
    let names = try origin.blamed { () throws(Problem) in try folder.names(where: isKeyFile) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }
}

extension Problem {
  static var emptyFolder: Problem {
    Problem(
      "the folder holds no file whose name ends in \(KeyFolder.endings.joined(separator: " "))",
      cure: "those in \(KeyFolder.privateEnding) are not read")
  }
}
