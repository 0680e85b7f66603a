internal import CommandLineOptions
internal import MediaToken
internal import MediaTokenIssuer
internal import MediaTokenSystem

extension Command {
  /// `mediatoken keys generate`.
  static let keysGenerate = Command(
    words: ["keys", "generate"],
    summary: "Make a key pair for mediatoken issue.",
    operand: nil, options: KeysGenerateCommand.options,
    notes: [
      "For development and tests, never for production. Writes NAME.private.pem, which only its owner may read, and"
        + " NAME.pem. Nothing is overwritten.",
      "Example:\n  mediatoken keys generate --out my-keys",
    ],
    run: KeysGenerateCommand.run)
}

/// Makes key pairs.
enum KeysGenerateCommand {
  private static let out = Option.value("out", "DIR", "the folder to write to; made if it is not there")
  private static let name = Option.value("name", "NAME", "what the files are called (default development)")
  private static let bits = Option.value("bits", "N", "the size of the key, 2048 to 4096 (default 2048)")
  private static let weak = Option.flag("weak-1024-for-tests", "a key of 1024 bits, as Adobe's is; for tests only")

  static let options = [out, name, bits, weak]

  static func run(_ arguments: Arguments) throws(ToolError) -> Int32 {
    let folder = try arguments.required(out)
    let name = arguments.text(name) ?? "development"
    guard name.utf8.allSatisfy(isPlain), name.utf8.count <= 64, name.first != ".", name.first != "-" else {
      throw arguments.usage(
        "expected letters, digits, _ . and - in \(Self.name.usage), beginning with none of . and -")
    }
    let pair = try keyPair(arguments)
    var files = try NewFiles(in: folder)
    let (privateName, publicName) = ("\(name).private.pem", "\(name).pem")
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

  /// Whether the byte may stand in a file's name without surprises.
  static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func keyPair(_ arguments: Arguments) throws(ToolError) -> DevelopmentKeyPair {
    let range = Int64(Limits.ordinaryModulusBits)...Int64(Limits.largestModulusBits)
    let size = try arguments.number(bits, in: range)
    if arguments.has(weak), size != nil {
      throw arguments.usage("expected \(bits.usage) or \(weak.usage), found both")
    }
    do throws(DevelopmentKeyError) {
      return arguments.has(weak)
        ? try .generateWeak1024BitsForTests() : try .generate(modulusBits: Int(size ?? range.lowerBound))
    } catch {
      if case .fault = error { throw .unable(error.description) }
      throw arguments.usage(error.description)
    }
  }

  private static func write(
    _ pair: DevelopmentKeyPair, _ privateName: String, _ publicName: String, _ files: inout NewFiles
  ) throws(ToolError) {
    let written: Result<Void, ToolError>
    do throws(DevelopmentKeyError) {
      let publicPEM = try pair.publicKeyPEM()
      written = try pair.withPrivateKeyPEM { pem throws(ToolError) in
        try files.make(privateName, mode: 0o600, pem)
        try files.make(publicName, mode: 0o644, publicPEM.utf8Span.span)
      }
    } catch {
      files.takeBack()
      throw .unable(error.description)
    }
    try written.get()
  }

  private static func shellWord(_ path: String) -> String { DisplayText.shellWord(Array(path.utf8)) }
}
