internal import Glibc

/// What the program was called with, byte for byte.
package enum ProgramArguments {
  /// The arguments without the program's name. Swift's own `CommandLine.arguments` repairs what is not UTF-8, and a
  /// repaired token is another token.
  package static func all() -> [[UInt8]] {
    // SAFETY: the system hands over argc C strings, which live as long as the program.
    let arguments = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return unsafe arguments.dropFirst().compactMap { argument in
      guard let start = unsafe argument else { return nil }
      return unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
    }
  }
}
