internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenIssuer
internal import MediaTokenSystem

extension Command {
  static let keysGenerate = Command(
    words: ["keys", "generate"],
    summary: "Make a key pair for mediatoken issue.",
    options: KeysGenerateCommand.options,
    notes: [
      """
      For development and tests, never for production. Writes NAME.private.pem, which only its owner may read, and \
      NAME.pem. Nothing is overwritten. The folder can be given as it is where keys are read.
      """,
      .example("mediatoken keys generate --out my-keys"),
    ],
    run: KeysGenerateCommand.run)
}

enum KeysGenerateCommand {
  private static let name = Option("name", fileName, default: "development", "the name of the files")
  private static let sizes = Limits.ordinaryModulusBits...Limits.largestModulusBits
  private static let bits = Option(
    "bits", .number(sizes), default: sizes.lowerBound,
    "the size of the key, \(sizes.lowerBound) to \(sizes.upperBound)")
  private static let weak = Flag("weak-1024-for-tests", "a key of 1024 bits, as Adobe's is; for tests only")

  static let options: [any CommandOption] = [KeysImportCommand.out, name, bits, weak]

  /// With `.private.pem` it is well below what a folder takes.
  private static let longestName = 64
  private static let fileName = Form<String>.text(
    .name, isNot: "a name of at most \(longestName) letters, digits, _ . and -",
    cure: "begin it with a letter, a digit or _"
  ) { name in
    name.utf8.allSatisfy(\.isNameByte) && name.utf8.count <= longestName && name.first != "." && name.first != "-"
      ? name : nil
  }
  .written(\.self)

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let folder = try arguments.required(KeysImportCommand.out)
    let name = try arguments[name]
    let pair = try keyPair(arguments)
    var files = try NewFiles(in: folder)
    let (privateName, publicName) = (name + KeyFolder.privateEnding, "\(name).pem")
    try write(pair, privateName, publicName, &files)
    let (privatePath, publicPath) = (files.path(privateName), files.path(publicName))
    let weakOption =
      pair.modulusBits < Limits.ordinaryModulusBits ? " " + WeakKeyConsent.option(pair.fingerprint) : ""
    let (privateWord, publicWord) = (shellWord(privatePath), shellWord(publicPath))
    try files.report(
      VerdictText.line("private", privatePath) + VerdictText.line("public", publicPath)
        + VerdictText.line("fingerprint", pair.fingerprint.description)
        + VerdictText.line("bits", String(pair.modulusBits))
        + "next: mediatoken issue --key \(privateWord) --requestor REF30 --resource TNT"
        + " | mediatoken verify - --keys \(publicWord)\(weakOption) --requestor REF30 --resource TNT\n")
    return ExitStatus.done
  }

  private static func keyPair(_ arguments: Arguments) throws(Problem) -> DevelopmentKeyPair {
    let size = try arguments[bits]
    if arguments.has(weak), arguments.has(bits) {
      throw arguments.usage("\(bits.usage) and \(weak.usage) are both given; give one")
    }
    return try rethrow(
      arguments.has(weak) ? .generateWeak1024BitsForTests() : .generate(modulusBits: size), as: arguments.problem)
  }

  private static func write(
    _ pair: DevelopmentKeyPair, _ privateName: String, _ publicName: String, _ files: inout NewFiles
  ) throws(Problem) {
    let written: Result<Void, Problem>
    do throws(Problem) {
      let publicPEM = try pair.publicKeyPEM()
      written = try pair.withPrivateKeyPEM { pem throws(Problem) in
        try files.make(privateName, mode: 0o600, pem)
        try files.make(publicName, mode: 0o644, publicPEM.utf8Span.span)
      }
    } catch {
      files.takeBack()
      throw error
    }
    try written.get()
  }

  private static func shellWord(_ path: String) -> String { DisplayText.shellWord(Array(path.utf8)) }
}
