internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenSystem

extension Command {
  static let keysImport = Command(
    words: ["keys", "import"],
    summary: "Write the keys of a JKS keystore or certificate as PEM.",
    operand: Command.Operand(.file),
    options: [KeysImportCommand.out, KeysImportCommand.password, KeysImportCommand.passwordFile],
    notes: [
      "A keystore's password guards nothing but a checksum. It is checked if it is given.",
      """
      One file for each key, named after the keystore's alias or the fingerprint. Nothing is overwritten, and \
      either all files are written or none.
      """,
      .example("mediatoken keys import media_token_keystore.jks --out adobe-keys"),
    ],
    run: KeysImportCommand.run)
}

enum KeysImportCommand {
  static let out = Option("out", .text(.folder), "the folder to write to; made if it is not there")
  static let password = Option("password", .text(.text), "the keystore's password, to check its checksum")
  static let passwordFile = Option("password-file", .text(.file), "the same from the first line of a file")

  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    guard let operand = arguments.operand, let source = String(validating: operand, as: UTF8.self), !source.isEmpty
    else { throw arguments.usage("FILE is missing: the keystore or key file to import") }
    let folder = try arguments.required(out)
    let password = try password(arguments)
    let keys = try TrustedKeys.candidates(readingFiles: [source], keystorePassword: password)
    var files = try NewFiles(in: folder)
    var report = ""
    for (key, name) in zip(keys, fileNames(of: keys)) {
      try files.make(name, mode: 0o644, try pem(key, &files).utf8Span.span)
      report += line(about: key, at: files.path(name))
    }
    try files.report(report)
    return ExitStatus.done
  }

  private static func pem(_ key: KeyCandidate, _ files: inout NewFiles) throws(Problem) -> String {
    do throws(Fault) {
      return try key.pem()
    } catch {
      files.takeBack()
      throw Problem("OpenSSL could not encode a key (\(error.answer.wireName)); no file was made")
    }
  }

  private static func line(about key: KeyCandidate, at path: String) -> String {
    let consent = key.needsConsent ? " " + WeakKeyConsent.option(key.fingerprint) : ""
    return VerdictText.line("file", path) + VerdictText.line("fingerprint", key.fingerprint.description)
      + VerdictText.line("bits", String(key.modulusBits))
      + "next: mediatoken keys list --keys \(DisplayText.shellWord(Array(path.utf8)))\(consent)\n"
      + "configuration: \(setting(key, at: path))\n"
  }

  /// The setting for the daemon's configuration.
  private static func setting(_ key: KeyCandidate, at path: String) -> String {
    let consent = key.needsConsent ? ", \"allowRSA1024\": [\"\(key.fingerprint)\"]" : ""
    return "\"keys\": [\"\(DisplayText.escaped(path))\"]\(consent)"
  }

  private static func password(_ arguments: Arguments) throws(Problem) -> String? {
    guard let path = try arguments[passwordFile] else { return try arguments[password] }
    guard !arguments.has(password) else {
      throw arguments.usage("\(password.usage) and \(passwordFile.usage) are both given; give one")
    }
    let bytes = try CredentialFile.read(path, atMost: 4096)
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
      throw Problem("\(VerdictText.shown(path)): there is no password on the first line")
    }
    return text
  }

  private static func fileNames(of keys: [KeyCandidate]) -> [String] {
    var taken: Set<String> = []
    return keys.map { key in
      let fingerprint = String(key.fingerprint.description.prefix(16))
      var name = fingerprint
      if case .alias(let alias) = key.origin.part, let plain = plainName(alias) { name = plain }
      if !taken.insert(name).inserted {
        name += "-" + fingerprint
        taken.insert(name)
      }
      return name + ".pem"
    }
  }

  /// The alias as a file name: everything but ASCII letters, digits, `_ . -` becomes `-`; nil if nothing is left.
  private static func plainName(_ alias: String) -> String? {
    let bytes = alias.utf8.prefix(64).map { $0.isNameByte ? $0 : UInt8(ascii: "-") }
    let name = bytes.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
    return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
  }
}
