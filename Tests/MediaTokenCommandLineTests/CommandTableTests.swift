import MediaToken
import Testing

@testable import MediaTokenCommandLine

@Suite struct CommandTableTests {
  private func run(_ typed: String...) throws -> Int32 { try TestTable.table.run(typed.map { Array($0.utf8) }) }

  @Test func commandsAreFoundByTheirWords() throws {
    #expect(try run("draw", "--size", "9") == 9)
    #expect(try run("keys", "make") == 0)
  }

  @Test func theOnlyCommandNeedsNoWords() throws {
    let command = Command(summary: "Draw.", options: [TestTable.size], notes: []) { (arguments) throws(Problem) in
      try Int32(arguments[TestTable.size])
    }
    let table = CommandTable(program: "alone", version: "1", only: command)
    #expect(try table.run(["--size", "5"].map { Array($0.utf8) }) == 5)
    #expect(try table.run([]) == 7)
    #expect(message { _ = try table.run([Array("x".utf8)]) }.hasSuffix("\n  see: alone --help"))
  }

  @Test(arguments: [
    ([], "the command is missing; the commands are draw and keys"),
    (["drawn"], "unknown command; did you mean draw"),
    (["paint"], "unknown command; the commands are draw and keys"),
    (["keys"], "the second word is missing; type keys list or keys make"),
    (["keys", "lits"], "unknown command; did you mean keys list"),
    (["keys", "paint"], "unknown command; type keys list or keys make"),
    (["help", "keys", "lits"], "unknown command; did you mean keys list"),
  ])
  func otherWordsAreRefused(_ typed: [String], _ expected: String) {
    #expect(
      message { _ = try TestTable.table.run(typed.map { Array($0.utf8) }) } == expected + "\n  see: tool --help")
  }

  @Test func whatFailsBeforeACommandKeepsItFromRunning() {
    let table = CommandTable(
      program: "tool", version: "1", purpose: "", exitStatus: "", commands: [TestTable.draw]
    ) { () throws(Problem) in throw Problem("not ready") }
    #expect(message { _ = try table.run([Array("draw".utf8)]) } == "not ready")
  }

  @Test func helpOfACommandIsItsTable() {
    #expect(
      TestTable.table.help(of: TestTable.draw) == """
        usage: tool draw [TOKEN|-] [OPTION...]

        Draw something.

        options:
          --size MS          how long (default 7)
          --colour red|blue  which colour (default blue)
          --place DIR        where (default: here)
          --name ID          whose (repeatable)
          --moment TIME      when (default: when it is read)
          --deep N           how deep
          --quick            no pauses
          --help             print this and exit

        A note.

        Exit status: 0 drawn.

        Example:
          tool draw \\
            --quick

        """)
  }

  @Test func theTableSaysWhatEachOptionTakes() {
    #expect(
      TestTable.draw.options.map { $0.kind?.placeholder } == ["MS", "red|blue", "DIR", "ID", "TIME", "N", nil])
    #expect(
      TestTable.draw.options.map { $0.kind?.offer } == [
        .nothing, .words(["red", "blue"]), .folders, .requestors, .nothing, .nothing, nil,
      ])
    #expect(
      TestTable.draw.options.map(\.usual) == [
        .typed("7"), .typed("blue"), .described("here"), nil, .described("when it is read"), nil, nil,
      ])
    #expect(TestTable.draw.options.filter(\.isRepeatable).map(\.name) == ["name"])
  }

  @Test func helpOfTheProgramNamesItsCommands() {
    #expect(
      TestTable.table.overview == """
        tool draws.

        usage: tool COMMAND [OPTION...]

        commands:
          draw       Draw something.
          keys list  List keys.
          keys make  Make keys.

        tool COMMAND --help   the options of a command
        tool --version        the version

        exit status: 0 done

        """)
    #expect(
      TestTable.table.help(ofGroup: [TestTable.listKeys, TestTable.makeKeys]) == """
        commands:
          keys list  List keys.
          keys make  Make keys.

        tool COMMAND --help   the options of a command

        """)
  }
}
