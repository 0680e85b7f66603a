/// Files that are written whole or not at all, and that never replace anything.
package enum NewFile {
  /// Writes a file under another name in the same folder, and gives it its own when all of it is on the disk. Its
  /// permission bits are `mode` whatever the umask is: a public file must be readable for a service, too.
  ///
  /// EEXIST if the name is taken. After an error nothing is left behind, even if the disk is full or the file exceeds the
  /// size limit (the program must ignore SIGXFSZ).
  package static func write(_ bytes: Span<UInt8>, to path: String, mode: UInt32) throws(SystemError) {
    let draft = "\(path).\(CurrentProcess.id).\(UInt32.random(in: 0...UInt32.max)).new"
    let file = try FileDescriptor(opening: draft, for: .writing, [.new, .noLink], mode: mode)
    defer { try? SystemCall.unlink(draft) }
    try SystemCall.setMode(file.number, mode)
    try SystemCall.write(file.number, bytes)
    try SystemCall.synchronise(file.number)
    try file.close()
    try SystemCall.link(draft, to: path)
    try? synchroniseFolder(of: path)
  }

  /// The name survives a power loss too. If this fails, the file exists anyway.
  private static func synchroniseFolder(of path: String) throws(SystemError) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    try SystemCall.synchronise(FileDescriptor(opening: folder, for: .reading, .folder).number)
  }
}
