internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

/// Files that a command makes in one folder, either all of them or none. No existing file is overwritten.
struct NewFiles {
  private let folder: String
  private let hasMadeFolder: Bool
  private var made: [String] = []

  /// Makes the folder if it is missing. From then on no signal ends the program between two files, or with half a one:
  /// it is about to end by itself.
  init(in folder: String) throws(Problem) {
    Signals.hold()
    self.folder = folder
    hasMadeFolder = try rethrow(SystemCall.makeFolder(folder)) { (error: SystemError) in
      Problem("\(VerdictText.shown(folder)): cannot be made: \(error.description)")
    }
    // The umask of root's shell must not keep a service out of a folder of public keys.
    if hasMadeFolder { try? SystemCall.setMode(ofFileAt: folder, 0o755) }
  }

  /// Makes one whole file with these permission bits, whatever the umask, or takes back all that were made before it.
  mutating func make(_ name: String, mode: UInt32, _ bytes: Span<UInt8>) throws(Problem) {
    let path = path(name)
    do throws(SystemError) {
      try NewFile.write(bytes, to: path, mode: mode)
      made.append(path)
    } catch {
      takeBack()
      throw Problem("\(VerdictText.shown(path)): cannot be written: \(error.description); no file was made")
    }
  }

  func path(_ name: String) -> String { folder + "/" + name }

  /// Prints the command's report, or removes the files if that fails: no file is left that was not reported.
  mutating func report(_ text: String) throws(Problem) {
    do throws(Problem) {
      try StandardOutput.write(text)
    } catch {
      takeBack()
      throw Problem("\(error.description); no file was made")
    }
  }

  /// The folder as well.
  mutating func takeBack() {
    for path in made { remove(path, SystemCall.unlink) }
    if hasMadeFolder { remove(folder, SystemCall.removeFolder) }
    made = []
  }

  private func remove(_ path: String, _ call: (String) throws(SystemError) -> Void) {
    do throws(SystemError) {
      try call(path)
    } catch {
      StandardError.say("\(VerdictText.shown(path)): cannot be removed again: \(error.description)")
    }
  }
}
