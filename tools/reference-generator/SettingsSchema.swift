internal import MediaTokenFormats
internal import MediaTokenService

/// The JSON Schema of the daemon's configuration (draft 2020-12), for editors and validators.
///
/// It knows names, types, ranges and words. Rules about several settings together are checked by the daemon alone.
enum SettingsSchema {
  /// The schema of the whole file.
  static var schema: GeneratedFile {
    let settings = ConfigurationFile.settings.filter { !$0.key.contains(".") }
    let head: [(String, SchemaValue)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("title", .text("Configuration of mediatokend")),
      (
        "$comment",
        .text("Written by tools/reference from the declarations of the settings; change these, then run it.")
      ),
    ]
    return GeneratedFile(
      path: "deploy/mediatokend.schema.json", text: SchemaValue.object(head + object(of: settings)).lines() + "\n")
  }

  private static func object(of settings: [SettingDescription]) -> [(String, SchemaValue)] {
    let required = settings.filter(\.isRequired).map { SchemaValue.text($0.name) }
    return [
      ("type", .text("object")),
      ("properties", .object(settings.map { ($0.name, .object(property($0))) })),
      ("additionalProperties", .flag(false)),
    ] + (required.isEmpty ? [] : [("required", .array(required))])
  }

  private static func property(_ setting: SettingDescription) -> [(String, SchemaValue)] {
    let absence = setting.absence.map { " Without it: \($0)." } ?? ""
    let restart = setting.reload == .needsRestart ? " A change needs a restart." : ""
    let usual = setting.standard.flatMap { SchemaValue($0) }.map { [("default", $0)] } ?? []
    return [("description", .text(setting.sentence.asSentence + absence + restart))] + type(setting.kind) + usual
  }

  private static func type(_ kind: FormKind) -> [(String, SchemaValue)] {
    switch kind {
    case .boolean: [("type", .text("boolean"))]
    case .number(let range, _):
      [("type", .text("integer")), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))]
    case .words(let words): [("enum", .array(words.map { .text($0) }))]
    case .text(let text):
      // A character has one byte or more: what has too many characters has too many bytes.
      [("type", .text("string")), ("minLength", .number(Int64(text.bytes?.lowerBound ?? 1)))]
        + (text.bytes.map { [("maxLength", .number(Int64($0.upperBound)))] } ?? [])
    case .account:
      [
        ("type", .array([.text("string"), .text("integer")])), ("minLength", .number(1)),
        ("minimum", .number(0)), ("maximum", .number(Int64(UInt32.max) - 1)),
      ]
    case .list(let element, let least):
      [("type", .text("array")), ("items", .object(type(element)))]
        + (least > 0 ? [("minItems", .number(Int64(least)))] : [])
    case .section(let settings): object(of: settings)
    case .either(let short, let section): [("anyOf", .array([.object(type(short)), .object(type(section))]))]
    }
  }
}

/// A JSON value whose members keep their order.
enum SchemaValue {
  case object([(String, SchemaValue)])
  case array([SchemaValue])
  case text(String)
  case number(Int64)
  case flag(Bool)

  /// What holds without a setting; nil if no value says it.
  init?(_ value: JSONTree.Value) {
    switch value {
    case .integer(let number): self = .number(number)
    case .string(let text): self = .text(text)
    case .boolean(let isOn): self = .flag(isOn)
    case .array(let elements): self = .array(elements.compactMap { SchemaValue($0.value) })
    case .object, .real, .null: return nil
    }
  }

  /// The JSON text, indented.
  func lines(indent: String = "") -> String {
    let deeper = indent + "  "
    switch self {
    case .object(let members):
      let lines = members.map { "\(deeper)\(Self.quoted($0.0)): \($0.1.lines(indent: deeper))" }
      return members.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    case .array(let elements): return "[" + elements.map { $0.lines(indent: deeper) }.joined(separator: ", ") + "]"
    case .text(let text): return Self.quoted(text)
    case .number(let number): return "\(number)"
    case .flag(let isOn): return "\(isOn)"
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
