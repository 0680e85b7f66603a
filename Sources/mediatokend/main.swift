internal import MediaTokenCommandLine
internal import MediaTokenService
internal import MediaTokenSystem

StandardStreams.prepare()
// Before any other thread starts: all of them inherit it.
Signals.hold()
Signals.crashSilently()
CurrentProcess.exit(DaemonCommand.run(CurrentProcess.arguments))
