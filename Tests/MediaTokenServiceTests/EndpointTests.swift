import Testing

@Suite struct EndpointTests {
  @Test(arguments: EndpointCase.all)
  func everyCaseHoldsAndSpendsWhatItSays(_ one: EndpointCase) throws {
    let run = EndpointRun(row: one.row)
    for line in one.lines {
      do { try run.run(line) } catch { Issue.record(error, "\(line.place)") }
    }
    try run.end()
  }

  /// As many as there were when this was written, at least: a file that is not found has none.
  @Test func casesAreThere() { #expect(EndpointCase.all.count > 200) }
}
