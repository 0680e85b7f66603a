import Testing

@testable import MediaToken

/// Callers take turns where claims wait to be sent.
@Suite struct CallersLineTests {
  /// A line with so many elements of each caller, named by their caller and their place among its own.
  private func line(_ counts: [Int]) -> CallersLine<String> {
    var line = CallersLine<String>()
    for (caller, count) in counts.enumerated() {
      for place in 0..<count { line.append("\(caller).\(place)", of: .user(UInt32(caller))) }
    }
    return line
  }

  private func take(_ most: Int, _ line: inout CallersLine<String>) -> [String] {
    var taken: [String] = []
    line.take(most, into: &taken)
    return taken
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64])
  func `all come out, each caller's in order, in turns`(most: Int) {
    var line = line([5, 3, 0, 4])
    var taken: [String] = []
    while !line.isEmpty {
      let turn = take(most, &line)
      let expected = min(most, 12 - taken.count)
      #expect(turn.count == expected)
      taken += turn
    }
    #expect(taken == ["0.0", "1.0", "3.0", "0.1", "1.1", "3.1", "0.2", "1.2", "3.2", "0.3", "3.3", "0.4"])
    line.append("again", of: .tasks)
    let last = take(1, &line)
    #expect(last == ["again"] && line.isEmpty)
  }

  @Test func `who comes while others have much has its turn in the next batch`() {
    var line = line([200, 200])
    _ = take(3, &line)
    line.append("new", of: .tcp)
    let next = take(3, &line)
    #expect(next == ["1.1", "0.2", "new"])
  }

  @Test func `those that are removed are not counted`() {
    var line = line([3, 3])
    let removed = line.remove { $0.hasSuffix(".1") }
    #expect(removed == ["0.1", "1.1"] && line.count == 4)
    let taken = take(9, &line)
    #expect(taken == ["0.0", "1.0", "0.2", "1.2"] && line.isEmpty)
  }
}
