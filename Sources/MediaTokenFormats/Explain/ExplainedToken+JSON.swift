internal import MediaToken

/// The one shape of an explanation in JSON, of `mediatoken explain --json` and of `POST /v1/explain`. Each part is a
/// function here, a schema in `inspector.yaml` and a row in the article SupportDesk.
extension ExplainedToken {
  static let notice = "nothing here lets anyone play; no token was used up"

  /// A session GUID is not among the members. Only a token that would be accepted as it was asked about has the verdict
  /// `VALID_TOKEN`. A name that was compared with nothing is listed, so that no program takes a comparison for granted.
  package func write(to writer: inout JSONWriter) {
    writer.member("notice", Self.notice)
    writeConclusion(to: &writer)
    writer.member("now", explanation.now.description)
    writer.member("headline", headline)
    writer.member("meaning", meaning)
    writer.member("next", next)
    writer.member("report", objects: report + [(Self.clock, explanation.now.description)], Self.write)
    writeFindings(to: &writer)
    if let inside = inside.first { writer.member("inside") { inside.writeFindings(to: &$0) } }
    if let decision { writer.member("decision") { decision.write(to: &$0) } }
  }

  /// Without a verdict.
  private func writeFindings(to writer: inout JSONWriter) {
    if let identity = explanation.identity { writer.member("identity", identity.description) }
    writeLife(to: &writer)
    writeSteps(to: &writer)
    writeBinding(to: &writer)
    writeUse(to: &writer)
  }

  private func writeConclusion(to writer: inout JSONWriter) {
    switch conclusion {
    case .notCompared(let names): return writer.member("notChecked", names.map(\.rawValue))
    case .undecided(let fault): writer.member("fault", fault.answer.wireName)
    case .valid, .refused: if let answer { writer.member("verdict", answer.wireName) }
    }
    guard let answer, let action, let viewerSentence else { return }
    writer.member("number", Int64(answer.number))
    if let reason { writer.member("reason", reason.rawValue) }
    if let detail { writer.member("detail", detail) }
    writer.member("action", action.rawValue)
    writer.member("adobeCode", answer.adobeCode.rawValue)
    writer.member("viewer", viewerSentence)
  }

  /// Nothing is written unless a trusted key signed times that can be read.
  private func writeLife(to writer: inout JSONWriter) {
    guard let life = explanation.life else { return }
    func text(_ milliseconds: Int64) -> String { Instant(millisecondsSinceEpoch: milliseconds).description }
    writer.member("life") { object in
      object.member("issued", text(life.issued))
      object.member("ends", text(life.ends))
      object.member("acceptedFrom", text(life.from))
      object.member("acceptedUntil", text(life.until))
      object.member("skewMilliseconds", life.skew)
      object.member("summary", life.summary)
    }
  }

  private func writeSteps(to writer: inout JSONWriter) {
    writer.member("steps", objects: explanation.reports) { report, object in
      object.member("step", report.step.rawValue)
      object.member("outcome", report.outcome.wireName)
      object.member("notes", objects: report.notes.map { (name: "\($0.name)", value: $0.value) }, Self.write)
    }
  }

  private static func write(_ line: (name: String, value: String), to object: inout JSONWriter) {
    object.member("name", line.name)
    object.member("value", line.value)
  }

  private func writeBinding(to writer: inout JSONWriter) {
    writer.member("binding", objects: explanation.bindings) { binding, object in
      object.member("name", binding.name.rawValue)
      object.member("outcome", binding.outcome.wireName)
      object.member("expected", binding.expected)
      object.member("found", binding.found)
    }
  }

  private func writeUse(to writer: inout JSONWriter) {
    writer.member("use") { object in
      object.member("state", useState.rawValue)
      if let firstUsed { object.member("firstUsed", firstUsed.description) }
    }
    if let useSummary { writer.member("useSummary", useSummary) }
  }
}
