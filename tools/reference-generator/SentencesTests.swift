import Testing

@Suite struct SentencesTests {
  @Test(arguments: [
    ("shared:PATH, a table", "shared:PATH, a table."), ("sessionGUID", "sessionGUID."), ("the file", "The file."),
    ("a table: shared:PATH", "A table: shared:PATH."), ("ISO 8601", "ISO 8601."), ("", "."),
  ])
  func whatIsTypedKeepsItsLetters(_ text: String, _ sentence: String) { #expect(text.asSentence == sentence) }
}
