import Foundation
import MediaToken
import Testing

/// Case 51: a text one step from a genuine token is valid if and only if the spelling rules read the same signature and
/// the same signed bytes in it.
@Suite("Neighbours")
struct NeighbourTests {
  /// Every position of the first two, or every sixteenth of all. Raw, base64 that ends in `+` (which a form's trailing space can mean), unpadded base64, percent-encoded.
  @Test(arguments: [
    ("shared/armor-raw.token", 1, 170_000), ("own/base64-end-whole-none.token", 1, 220_000),
    ("own/base64-end-one-pad-absent-none.token", 8, 30_000), ("shared/armor-percent.token", 8, 25_000),
  ])
  func onlyOtherSpellingsOfTheSameTokenAreValid(name: String, every: Int, atLeast: Int) async throws {
    let vector = try VectorFiles.named(name)
    let genuine = try #require(Spelling(Data(vector.received)))
    #expect(vector.verdict == .validToken)

    let length = vector.received.count
    let stride = isThorough ? every : 16
    let positions = (0...length).filter { $0.isMultiple(of: stride) || $0 > length - 16 }
    let workers = max(2, ProcessInfo.processInfo.activeProcessorCount)
    let tally = try await withThrowingTaskGroup { group in
      for worker in 0..<workers {
        group.addTask {
          let share = Swift.stride(from: worker, to: positions.count, by: workers).map { positions[$0] }
          return try Self.compare(vector, genuine, positions: share)
        }
      }
      return try await group.reduce(into: Tally()) { $0.add($1) }
    }
    print("\(name): \(tally.tried) neighbours, \(tally.valid) of them other spellings of the same token")
    #expect(tally.disagreements == [])
    #expect(tally.tried >= atLeast * every / stride)
    // Leading and trailing white space at least.
    #expect(tally.valid >= 8)
  }

  private struct Tally: Sendable {
    var tried = 0
    var valid = 0
    var disagreements: [String] = []

    mutating func add(_ other: Tally) {
      tried += other.tried
      valid += other.valid
      disagreements += other.disagreements
    }
  }

  private static func compare(_ vector: Vector, _ genuine: Spelling, positions: [Int]) throws -> Tally {
    let verifier = try VectorFiles.verifier(for: vector)
    let neighbours = Neighbours(text: vector.received)
    var tally = Tally()
    for position in positions {
      for step in Neighbours.Step.allCases {
        neighbours.forEach(step, at: position) { text in
          let expected = Spelling(Data(text)) == genuine
          let accepted = accepts(text, verifier, vector)
          tally.tried += 1
          if accepted { tally.valid += 1 }
          if accepted != expected, tally.disagreements.count < 20 {
            tally.disagreements.append("\(step) at \(position): valid is \(accepted), expected \(expected)")
          }
        }
      }
    }
    return tally
  }

  private static func accepts(_ text: [UInt8], _ verifier: TokenPath, _ vector: Vector) -> Bool {
    do throws(Refusal) {
      _ = try verifier.verify(text.span, requestor: vector.requestor, resource: vector.resource, at: vector.now)
      return true
    } catch {
      if case .undecided(let fault) = error { Issue.record("undecided: \(fault)") }
      return false
    }
  }
}
