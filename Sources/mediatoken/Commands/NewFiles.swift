internal import CommandLineOptions
internal import MediaTokenSystem

/// Files that a command makes: all of them or none, and never over something that is there.
struct NewFiles {
  private var made: [String] = []

  /// Makes the folder if it is not there.
  static func makeFolder(_ path: String) throws(ToolError) {
    do throws(SystemError) {
      try SystemCall.makeFolder(path)
    } catch {
      throw .unable("\(shown(path)): cannot be made: \(error.description)")
    }
  }

  /// Makes one file, or takes back all that were made before it.
  ///
  /// - Parameter mode: its permission bits, less the umask.
  mutating func make(_ path: String, mode: UInt32, _ bytes: Span<UInt8>) throws(ToolError) {
    do throws(SystemError) {
      let file = try FileDescriptor(opening: path, for: .writing, .new, mode: mode)
      made.append(path)
      try SystemCall.write(file.number, bytes)
      try SystemCall.synchronise(file.number)
      try file.close()
    } catch {
      takeBack()
      throw .unable("\(Self.shown(path)): cannot be written: \(error.description); no file was made")
    }
  }

  /// Removes every file that was made.
  mutating func takeBack() {
    for path in made {
      do throws(SystemError) {
        try SystemCall.unlink(path)
      } catch {
        StandardError.say("\(Self.shown(path)): cannot be removed again: \(error.description)")
      }
    }
    made = []
  }

  private static func shown(_ path: String) -> String { VerdictText.shown(path) }
}
