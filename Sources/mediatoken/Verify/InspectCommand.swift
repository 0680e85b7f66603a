internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats

extension Command {
  static let inspect = Command(
    words: ["inspect"],
    summary: "Show what a token says; its signature is not checked.",
    operand: TokenSource.optionalOperand,
    options: [TokenSource.decision, OutputOptions.showGUID, OutputOptions.json],
    notes: [
      "Every line begins with unverified. Decide nothing by it: mediatoken verify decides.",
      .exitStatus(
        "0 if the token can be read, 1 if it cannot, or if a decision has none, 3 if a decision document is broken."
      ),
    ],
    run: InspectCommand.run)
}

enum InspectCommand {
  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    try TokenSource.check(arguments)
    switch try TokenSource.read(arguments, for: .anyResource) {
    case .token(let token, _): return try show(token, arguments)
    case .noToken(let noToken): return try noToken.print(arguments)
    }
  }

  private static func show(_ token: [UInt8], _ arguments: Arguments) throws(Problem) -> Int32 {
    var inspection = Inspection(showingGUID: arguments.has(OutputOptions.showGUID))
    let refusal = inspection.read(token.span)
    if case .undecided(let fault)? = refusal { throw Problem("could not read the token: \(fault.answer.wireName)") }
    if case .rejected(let rejection)? = refusal {
      inspection.note("reason", rejection.reason.rawValue)
      inspection.note("detail", rejection.detail)
    }
    try StandardOutput.write(arguments.has(OutputOptions.json) ? inspection.json : inspection.text)
    return refusal == nil ? ExitStatus.done : ExitStatus.refused
  }
}

/// The content of an unverified token, as far as it can be read.
private struct Inspection: PathObserver {
  private var findings: [(name: StaticString, value: Value)] = []
  private let showingGUID: Bool

  init(showingGUID: Bool) { self.showingGUID = showingGUID }

  private enum Value {
    case text(String)
    case number(Int)
  }

  mutating func note(_ name: StaticString, _ text: String) { findings.append((name, .text(text))) }

  private mutating func note(_ name: StaticString, _ number: Int) { findings.append((name, .number(number))) }

  /// Up to the first step that fails.
  mutating func read(_ received: Span<UInt8>) -> Refusal? {
    do throws(Refusal) {
      let fields = try UnverifiedFields(showing: received, observer: &self)
      for (name, value) in fields.shown(withGUID: showingGUID) { note(name, value) }
      return nil
    } catch {
      return error
    }
  }

  mutating func passedArmor(_ form: Armor.Form, receivedBytes: Int, tokenBytes: Int) { note("form", form.rawValue) }

  mutating func passedEnvelope(signatureBytes: Int, signedBytes: Int) {
    note("signatureBytes", signatureBytes)
    note("signedBytes", signedBytes)
  }

  mutating func named(_ identity: TokenIdentity) { note("identity", identity.description) }

  /// One line for each finding, which says what it is worth.
  var text: String {
    findings.map { finding in
      switch finding.value {
      case .text(let text): "unverified " + VerdictText.line("\(finding.name)", text)
      case .number(let number): "unverified " + VerdictText.line("\(finding.name)", String(number))
      }
    }.joined()
  }

  var json: String {
    OutputOptions.line { writer in
      writer.member("unverified", true)
      for finding in findings {
        switch finding.value {
        case .text(let text): writer.member(finding.name, text)
        case .number(let number): writer.member(finding.name, Int64(number))
        }
      }
    }
  }
}
