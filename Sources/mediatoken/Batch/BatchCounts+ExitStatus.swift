internal import MediaTokenCommandLine
internal import MediaTokenJSON

extension BatchCounts {
  /// The exit status of a batch.
  var exitStatus: Int32 {
    if undecided > 0 { return ExitStatus.undecided }
    return refused + malformed > 0 ? ExitStatus.refused : ExitStatus.done
  }
}
