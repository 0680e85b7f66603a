import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct StaggeredRaceTests {
  private let dropped = Monitor<[Int]>([])
  private let begun = Monitor<[Int]>([])

  private var race: StaggeredRace<Int> { StaggeredRace { [dropped] value in dropped.change { $0.append(value) } } }

  /// The first success among these outcomes; the first attempt ends when `isFree`.
  private func run(
    _ outcomes: [Result<Int, NodeError>], when isFree: Monitor<Bool> = Monitor(true)
  ) throws(NodeError) -> (number: Int, value: Int) {
    try race.run(outcomes.count) { [begun] (number) throws(NodeError) in
      begun.change { $0.append(number) }
      if number == 0 { isFree.wait(atMostMilliseconds: 60_000) { $0 } }
      return try outcomes[number].get()
    }
  }

  @Test func `the first that succeeds is taken, and no other is begun`() throws {
    let found = try run([.failure(.refused(.standby)), .success(5), .success(6)])
    #expect(found == (1, 5) && begun.current == [0, 1] && dropped.current.isEmpty)
  }

  @Test func `one that hangs holds up none, and is dropped when it succeeds too late`() throws {
    let isFree = Monitor(false)
    let found = try run([.success(5), .success(6)], when: isFree)
    #expect(found == (1, 6) && begun.current == [0, 1])
    isFree.change { $0 = true }
    dropped.wait(atMostMilliseconds: 60_000) { $0 == [5] }
    #expect(dropped.current == [5])
  }

  @Test func `what no other could mend ends it at once`() {
    let wrong = NodeError.refused(.denied(StoreWords("words")))
    let error = #expect(throws: NodeError.self) { try run([.failure(wrong), .success(1)]) }
    #expect(error?.description == wrong.description && begun.current == [0])
  }

  @Test(
    arguments: [
      ([.closed, .refused(.standby)], .closed), ([.refused(.standby), .nameless], .nameless),
      ([.refused(.standby), .refused(.standby)], .refused(.standby)), ([.refused(.standby)], .refused(.standby)),
      ([.closed, .busy("x")], .busy("x")),
    ] as [([NodeError], NodeError)]) func `of errors the last is told that is not a standby's`(
      errors: [NodeError], told: NodeError
    )
  {
    let error = #expect(throws: NodeError.self) { try run(errors.map { .failure($0) }) }
    #expect(error?.description == told.description && begun.current.count == errors.count)
  }
}
