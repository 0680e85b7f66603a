internal import MediaTokenCommandLine
internal import MediaTokenSystem

StandardStreams.prepare()
CurrentProcess.exit(Tool.run(CurrentProcess.arguments))
