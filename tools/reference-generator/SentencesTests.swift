import MediaTokenCommandLine
import MediaTokenService
import Testing

/// What is said about the same thing in more than one place.
@Suite struct SentencesTests {
  /// Options that both programs take know nothing of the daemon's settings. What comes after a semicolon is the program's own.
  @Test(arguments: [
    ("--keys", "keys"), ("--retry-window", "replay.retryWindowMilliseconds"),
    ("--max-ttl", "tenants[].maxTTLMilliseconds"),
    ("--future-tolerance", "tenants[].futureToleranceMilliseconds"),
    ("--expiry-tolerance", "tenants[].expiryToleranceMilliseconds"),
    ("--fleet-credentials", "replay.fleet.credentials"), ("--fleet-deadline", "replay.fleet.deadlineMilliseconds"),
    ("--fleet-grace", "replay.fleet.graceSeconds"), ("--local-table", "replay.fleet.localTable"),
  ])
  func optionsSayWhatTheirSettingsSay(_ name: String, _ key: String) throws {
    let shared: [any CommandOption] =
      [SharedOptions.keys, SharedOptions.retryWindow] + PolicyTimes.all + FleetOption.all
    let option = try #require(shared.first { "--\($0.name)" == name })
    let setting = try #require(ConfigurationFile.settings.first { $0.key == key })
    #expect(firstClause(of: option.summary) == firstClause(of: setting.sentence))
    if case .typed(let usual) = option.usual { #expect(usual == setting.usual) }
  }

  private func firstClause(of sentence: String) -> Substring { sentence.prefix { $0 != ";" } }

  @Test(arguments: [
    ("shared:PATH, a table", "shared:PATH, a table."), ("sessionGUID", "sessionGUID."), ("the file", "The file."),
    ("a table: shared:PATH", "A table: shared:PATH."), ("ISO 8601", "ISO 8601."), ("", "."),
  ])
  func whatIsTypedKeepsItsLetters(_ text: String, _ sentence: String) { #expect(text.asSentence == sentence) }
}
