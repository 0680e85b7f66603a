internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenService

/// The manual page of the daemon's configuration, mediatokend.json(5).
enum SettingsPage {
  /// - Parameter sample: the configuration that is installed.
  static func page(date: String, version: String, sample: String) -> GeneratedFile {
    var page = ManualText(
      "mediatokend.json", section: 5, program: "MediaToken", date: date, version: version,
      summary: "configuration of mediatokend")
    page.section("DESCRIPTION")
    page.text(
      """
      The file is one JSON object (RFC 8259) without comments, at most 1 MiB. A key that is not listed here, a key \
      that comes twice and a value of another type are errors, which name the key; mediatokend \
      --check-config finds them without starting anything.

      The file and every folder above it must belong to root or to the user that the daemon runs as, and no one else \
      may be allowed to write to them. SIGHUP makes the daemon read the file again, and so does changing it. A reload \
      that fails changes nothing, and the log says why.

      An editor that knows JSON Schema completes and checks the file by the member $schema:
      """)
    page.example(#""$schema": "/usr/share/mediatoken/mediatokend.schema.json","#)
    page.section("SETTINGS")
    page.macro("Bl", "-tag -width Ds")
    for setting in ConfigurationFile.settings {
      page.macro("It", "Cm \(ManualText.word(setting.key))")
      page.text(description(of: setting))
    }
    page.macro("El")
    page.section("FILES")
    page.macro("Bl", "-tag -width Ds")
    page.macro("It", "Pa \(ManualText.word(Completion.configuration))")
    page.text("What the installed service reads.")
    page.macro("El")
    page.section("EXAMPLES")
    page.example(sample.last == "\n" ? String(sample.dropLast()) : sample)
    page.seeAlso(["mediatokend(8)"])
    return GeneratedFile(path: "manual/mediatokend.json.5", text: page.source)
  }

  private static func description(of setting: SettingDescription) -> String {
    var sentences = [setting.kind.noun + ": " + setting.sentence]
    if setting.isRequired {
      sentences.append("Required")
    } else if !setting.usual.isEmpty {
      sentences.append("Without it: \(setting.usual)")
    }
    switch setting.reload {
    case .taken: if setting.needsRestart { sentences.append("A change needs a restart") }
    case .takenWithin(let bound): sentences.append("A reload takes a change \(bound)")
    case .needsRestart: sentences.append("A change needs a restart")
    }
    return sentences.map(\.asSentence).joined(separator: "\n")
  }
}

extension SettingUnit {
  /// What follows a number.
  fileprivate var manual: String {
    switch self {
    case .none: ""
    case .milliseconds: ", in milliseconds"
    case .seconds: ", in seconds"
    case .bytes, .lines, .connections, .threads, .hours: ", of \(rawValue)"
    }
  }
}

extension FormKind {
  /// What is written in the file.
  fileprivate var noun: String {
    switch self {
    case .boolean: "true or false"
    case .number(let range, let unit):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
        + unit.manual
    case .words(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .text(let text):
      "text (\(text.what)" + (lengthToTell.map { ", of \($0.lowerBound) to \($0.upperBound) bytes" } ?? "") + ")"
    case .account(let kind): "a \(kind)'s name or number"
    case .list(let element, let least): "a list\(least > 0 ? " of at least \(least)" : ""), each \(element.noun)"
    case .section: "an object"
    case .either(let short, let section): "\(short.noun), or \(section.noun)"
    }
  }
}

extension FormKind {
  /// How many bytes a text may have; nil where what it is says that: digits by their number, or quoted values.
  var lengthToTell: ClosedRange<Int>? {
    guard case .text(let text) = self, let bytes = text.bytes, bytes.count > 1, !text.what.hasPrefix("\"") else {
      return nil
    }
    return bytes
  }
}

extension SettingDescription {
  /// What holds without it, in words or as the file would say it; empty for what is required and for an object.
  var usual: String { absence ?? standard?.typed ?? "" }
}
