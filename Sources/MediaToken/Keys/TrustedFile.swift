/// Files that decide whom to trust: what is opened must be regular, small, and writable by its owner alone.
package enum TrustedFile {
  /// The content of a file that is not a folder.
  ///
  /// - Throws: ``KeyError``, which names the file and the cure.
  package static func contents(_ path: String) throws(KeyError) -> [UInt8] {
    let origin = KeyOrigin(name: Array(path.utf8))
    return try origin.blamed { () throws(KeyError.Reason) in try OpenFile(origin.name).contents() }
  }

  /// What the file at this path, or every key file in the folder there, is now: which file, when written, how large.
  /// Two that are equal say that nothing was exchanged between; what is not there is equal to what is not there.
  package static func stamp(_ path: String) -> Stamp {
    let name = Array(path.utf8)
    guard let facts = try? OpenFile(name).facts else { return Stamp(facts: [nil]) }
    guard facts.kind == .folder, let folder = try? OpenFolder(name),
      let names = try? folder.names(atMost: Limits.keyFilesPerFolder, where: KeyFolder.isKeyFile)
    else { return Stamp(facts: [facts]) }
    return Stamp(facts: [facts] + names.sorted { $0.lexicographicallyPrecedes($1) }.map { folder.facts(of: $0) })
  }

  /// What files are at one moment.
  package struct Stamp: Sendable, Equatable {
    fileprivate let facts: [FileFacts?]
  }
}
