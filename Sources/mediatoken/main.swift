internal import CommandLineOptions
internal import Glibc

StandardStreams.prepare()
exit(Tool.run(ProgramArguments.all()))
