internal import MediaToken
internal import MediaTokenCommandLine

extension CommandTable {
  static let mediatoken = CommandTable(
    program: "mediatoken", version: Version.current,
    purpose: "mediatoken decides whether an Adobe Pass short media token is genuine.",
    exitStatus: "0 valid or done, 1 refused, 2 the command line is not understood, 3 no verdict",
    commands: [
      .verify, .inspect, .explain, .issue, .keysList, .keysImport, .keysGenerate, .replayCreate, .replayGrow,
      .replayInfo, .replayInit, .replayNodes, .replayRetire, .replaySchema, .query,
    ],
    prepare: Cryptography.prepare)
}

/// The program: runs a command, and turns its failures into a message and an exit status.
enum Tool {
  /// Without the program's name.
  static func run(_ arguments: [[UInt8]]) -> Int32 {
    do throws(Problem) {
      return try CommandTable.mediatoken.run(arguments)
    } catch {
      StandardError.say(error.description)
      return error.exitStatus
    }
  }
}

extension StandardError {
  static func say(_ message: String) { say(message, of: CommandTable.mediatoken.program) }
}
