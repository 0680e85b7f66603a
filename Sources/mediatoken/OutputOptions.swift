internal import MediaTokenCommandLine
internal import MediaTokenFormats

enum OutputOptions {
  static let json = Flag("json", "print one JSON object instead of text")
  static let showGUID = Flag(
    "show-session-guid", "print sessionGUID, the viewer's hashed account id; keep it out of logs")

  /// One JSON object on a line of its own.
  static func line(_ members: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.object(members)
    writer.endLine()
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
