/// The names of a choice: as an option of a program, and as a member of the daemon's file or of a request.
package struct ChoiceNames: Sendable {
  /// Without hyphens.
  package let option: String
  package let member: String

  package static let unknownFields = ChoiceNames(option: "unknown-fields", member: "unknownFields")
  package static let allowedProviders = ChoiceNames(option: "allow-mvpd", member: "allowMVPDs")
  package static let allowedProxies = ChoiceNames(option: "allow-proxy-mvpd", member: "allowProxyMVPDs")
  package static let deniedProviders = ChoiceNames(option: "deny-mvpd", member: "denyMVPDs")

  // Of a question.
  package static let resource = ChoiceNames(option: "resource", member: "resource")
  package static let resourceDocument = ChoiceNames(option: "resource-document", member: "resourceDocument")
  package static let resourceChannel = ChoiceNames(option: "resource-channel", member: "resourceChannel")
  package static let decision = ChoiceNames(option: "decision", member: "decision")
}

/// How the reader of a cure makes choices: a cure names them as they would type them.
package struct Wording: Sendable, Hashable {
  private let rulesAreOptions: Bool
  private let questionIsOptions: Bool

  /// All of them are options.
  package static let commandLine = Wording(rulesAreOptions: true, questionIsOptions: true)
  /// The rules are in a configuration, and the question is of options.
  package static let configuredCommand = Wording(rulesAreOptions: false, questionIsOptions: true)
  /// The rules are in a configuration, and the question is a request.
  package static let service = Wording(rulesAreOptions: false, questionIsOptions: false)

  /// A rule by which tokens are judged.
  package func rule(_ names: ChoiceNames) -> String { Self.spelled(names, asOption: rulesAreOptions) }

  /// A part of a question.
  package func part(_ names: ChoiceNames) -> String { Self.spelled(names, asOption: questionIsOptions) }

  private static func spelled(_ names: ChoiceNames, asOption: Bool) -> String {
    asOption ? "--\(names.option)" : names.member
  }
}

/// What to do about a fact, in the words of its reader.
package struct Cure: Sendable, ExpressibleByStringLiteral {
  private let words: @Sendable (Wording) -> String

  package init(_ words: @escaping @Sendable (Wording) -> String) { self.words = words }
  package init(_ text: String) { words = { _ in text } }
  package init(stringLiteral text: String) { self.init(text) }

  package func text(in wording: Wording) -> String { words(wording) }
}
