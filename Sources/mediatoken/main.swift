internal import MediaTokenCommandLine
internal import MediaTokenSystem

StandardStreams.prepare()
Signals.crashSilently()
CurrentProcess.exit(Tool.run(CurrentProcess.arguments))
