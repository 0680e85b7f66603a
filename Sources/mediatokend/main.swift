internal import CommandLineOptions
internal import Glibc
internal import MediaTokenService

StandardStreams.prepare()
// Before any other thread starts: all of them inherit it.
Signals.hold()
Signals.crashSilently()
exit(DaemonCommand.run(ProgramArguments.all()))
