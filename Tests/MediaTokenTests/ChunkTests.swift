import Foundation
import Testing

@testable import MediaToken

/// Step 4 over every vector's signed bytes, whatever key signed them: in one piece and in pieces, with both locks and with
/// the first one open.
@Suite("Chunks and locks")
struct ChunkTests {
  /// Every piece size up to the length of a short document, or every 16th; of long ones those around powers of two.
  @Test func piecesOfAnySizeGiveTheSameFields() async throws {
    let tally = try await Self.tally { document, sizes in
      var tally = Tally()
      let whole = Self.outcome(document)
      if case .fields = whole { tally.accepted = 1 }
      for size in sizes {
        tally.parses += 1
        let pieces = Self.outcome(document, chunk: size)
        if pieces != whole { tally.disagreements.append("pieces of \(size): \(pieces), whole: \(whole)") }
      }
      return tally
    }
    print("\(tally.documents) documents, \(tally.accepted) well-formed tokens, \(tally.parses) parses in pieces")
    #expect(tally.disagreements == [])
    #expect(tally.accepted > 300)
    #expect(tally.parses > (isThorough ? 200_000 : 20_000))
  }

  /// The second lock alone is more lenient, but what both accept has the same fields, and it never calls broken what
  /// the gate lets through.
  @Test func secondLockAloneReadsTheSameFields() async throws {
    let tally = try await Self.tally { document, sizes in
      var tally = Tally()
      let both = Self.outcome(document)
      let second = Self.outcome(document, locks: .secondOnly)
      if case .fields = both {
        tally.accepted = 1
        if second != both { tally.disagreements.append("both: \(both), second: \(second)") }
      } else if case .fields = second {
        tally.onlySecond = 1
      }
      for size in sizes.prefix(8) {
        tally.parses += 1
        let pieces = Self.outcome(document, locks: .secondOnly, chunk: size)
        // Which rule it names first may depend on the pieces; whether it opens, and what it reads, may not.
        if pieces.isAccepted != second.isAccepted || (second.isAccepted && pieces != second) {
          tally.disagreements.append("second lock, pieces of \(size): \(pieces), whole: \(second)")
        }
      }
      return tally
    }
    print("\(tally.onlySecond) documents are refused by the gate alone, \(tally.accepted) accepted by both")
    #expect(tally.disagreements == [])
    // The gate is there for something: libxml2 alone honours what it refuses.
    #expect(tally.onlySecond > 20)
  }

  /// What step 4 says, so that two can be compared.
  private enum Outcome: Equatable, Sendable {
    case fields([String])
    case refused(Reason)
    case undecided(Fault)

    var isAccepted: Bool { if case .fields = self { true } else { false } }
  }

  private struct Tally: Sendable {
    var (documents, accepted, onlySecond, parses) = (0, 0, 0, 0)
    var disagreements: [String] = []
  }

  private static func outcome(
    _ document: [UInt8], locks: FieldLocks = .both, chunk: Int = .max
  ) -> Outcome {
    var parser = FieldParser()
    do throws(Refusal) {
      let fields = try UnverifiedFields(parsing: document.span, with: &parser, locks: locks, chunk: chunk)
      let times = [fields.ttl, fields.issueTime].map { text in
        String(decoding: text.bytes.indices.map { text.bytes[$0] }, as: UTF8.self)
      }
      let names = [fields.requestorID, fields.resourceID, fields.mvpdID, fields.proxyMVPDID ?? "-"].map(\.text)
      // Joined as UTF-8 in an array of bytes' descriptions: String == would call different bytes equal.
      return .fields(
        ([fields.sessionGUID] + names + times + fields.unknownFields).map { "\(Array($0.utf8))" })
    } catch {
      switch error {
      case .rejected(let rejection): return .refused(rejection.reason)
      case .undecided(let fault): return .undecided(fault)
      case .cancelled: return .undecided(.internalFault)
      }
    }
  }

  private static func tally(_ body: @escaping @Sendable ([UInt8], [Int]) -> Tally) async throws -> Tally {
    let documents = Set(VectorFiles.all.compactMap { Spelling(Data($0.received))?.signedBytes })
    return await withTaskGroup { group in
      for document in documents {
        group.addTask {
          var tally = body(Array(document), sizes(for: document.count))
          tally.documents = 1
          tally.disagreements = tally.disagreements.prefix(3).map { "\($0) in \(document.prefix(300))" }
          return tally
        }
      }
      return await group.reduce(into: Tally()) { sum, one in
        sum.documents += one.documents
        sum.accepted += one.accepted
        sum.onlySecond += one.onlySecond
        sum.parses += one.parses
        sum.disagreements += one.disagreements
      }
    }
  }

  private static func sizes(for count: Int) -> [Int] {
    if count <= 600 {
      return (1...max(1, count)).filter { isThorough || $0 < 16 || $0.isMultiple(of: 16) || $0 == count - 1 }
    }
    // Small pieces of a long document cost the square of its length in libxml2's lookahead.
    let sizes = [61, 64, 509, 512, 1021, 4095, 4096, 4097, 16_384, count - 1]
    return count <= 4_096 ? [1, 2, 3, 7] + sizes : sizes
  }
}
