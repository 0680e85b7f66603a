import CLibXML2
import Testing

@testable import MediaToken

/// Step 4 has two locks. Each is tried with the other one open.
@Suite("Step 4: the two locks", .serialized)
struct FieldLockTests {
  /// The vectors whose signed bytes break a rule of step 4.
  private static let broken = VectorFiles.shared.filter { vector in
    vector.name.hasPrefix("shared/shape-") && vector.verdict == .invalidTokenFormat
      && !vector.name.hasPrefix("shared/shape-time-") && !vector.name.hasPrefix("shared/shape-ttl-")
  }

  private static func signedBytes(of vector: Vector) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    return try Envelope(cutting: vector.received.span, signatureInto: &buffer).signedBytes.array
  }

  /// What only the second lock knows: which fields there are, and what they are called.
  private static let onlySecondKnows: Set = [
    "shape-authn", "shape-authz", "shape-children-33", "shape-duplicate-issueTime", "shape-duplicate-requestorID",
    "shape-duplicate-resourceID", "shape-duplicate-ttl", "shape-empty-issueTime", "shape-empty-requestorID",
    "shape-empty-resourceID", "shape-empty-ttl", "shape-field-case", "shape-missing-issueTime",
    "shape-missing-mvpdId", "shape-missing-requestorID", "shape-missing-resourceID", "shape-missing-sessionGUID",
    "shape-missing-ttl", "shape-resource-empty-cdata", "shape-root-case", "shape-unescaped-spoof",
    "shape-unknown-twice", "shape-wrapped-root",
  ]

  /// What only the gate knows: libxml2 allows it, or rewrites it, and reports nothing.
  private static let onlyGateKnows: Set = [
    "shape-bom-before-root", "shape-cr", "shape-space-in-end-tag", "shape-space-in-tag", "shape-utf16",
    "shape-xml-declaration",
  ]

  @Test func gateAloneRefusesWhatIsNotAboutFieldNames() throws {
    #expect(Self.broken.count > 50)
    var passed: Set<String> = []
    for vector in Self.broken {
      let bytes = try Self.signedBytes(of: vector)
      if refusal({ () throws(Refusal) in try FieldGate.check(bytes.span) }) == nil {
        passed.insert(Self.shortName(vector))
      }
    }
    #expect(passed == Self.onlySecondKnows.subtracting(["shape-children-33", "shape-wrapped-root"]))
  }

  @Test func secondLockAloneRefusesWhatLibxml2Reports() throws {
    var passed: Set<String> = []
    for vector in Self.broken {
      let bytes = try Self.signedBytes(of: vector)
      var parser = FieldParser()
      let found = refusal { () throws(Refusal) in
        try UnverifiedFields(parsing: bytes.span, with: &parser, locks: .secondOnly)
      }
      if found == nil { passed.insert(Self.shortName(vector)) }
    }
    #expect(passed == Self.onlyGateKnows)
  }

  /// Reused parser contexts keep nothing of earlier documents (CVE-2022-2309): any order gives the same answers as
  /// fresh ones.
  @Test func reusedParserAnswersAsAFreshOne() throws {
    struct Answer: Equatable {
      var resource: String?
      var reason: Reason?
    }
    func answer(_ bytes: [UInt8], _ parser: inout FieldParser) -> Answer {
      do throws(Refusal) {
        return Answer(resource: try UnverifiedFields(parsing: bytes.span, with: &parser).resourceID.text)
      } catch {
        return Answer(reason: error.reason)
      }
    }
    var generator = SystemRandomNumberGenerator()
    let documents = VectorFiles.shared.filter { $0.received.count < 10_000 }.compactMap { vector in
      try? Self.signedBytes(of: vector)
    }
    let fresh = documents.map { document in
      var parser = FieldParser()
      return answer(document, &parser)
    }
    #expect(fresh.contains { $0.resource != nil } && fresh.contains { $0.reason != nil })
    var reused = FieldParser()
    for _ in 0..<20 {
      for index in documents.indices.shuffled(using: &generator) {
        #expect(answer(documents[index], &reused) == fresh[index])
      }
    }
  }

  /// Case 53: handlers that the host program sets for the whole process are never asked.
  @Test func hostileProcessWideHandlersAreNotAsked() throws {
    let genuine = try GenuineToken()
    let verifier = try genuine.verifier()
    let loader = unsafe xmlGetExternalEntityLoader()
    unsafe xmlSetStructuredErrorFunc(nil) { _, _ in fatalError("the host's error handler was called") }
    unsafe xmlSetExternalEntityLoader { _, _, _ in fatalError("the host's entity loader was called") }
    defer {
      xmlSetStructuredErrorFunc(nil, nil)
      unsafe xmlSetExternalEntityLoader(loader)
    }
    _ = try verifier.verify(
      genuine.vector.received.span, requestor: genuine.vector.requestor, resource: genuine.vector.resource,
      at: genuine.vector.now)
    for vector in Self.broken {
      let bytes = try Self.signedBytes(of: vector)
      var parser = FieldParser()
      _ = refusal { () throws(Refusal) in
        try UnverifiedFields(parsing: bytes.span, with: &parser, locks: .secondOnly)
      }
    }
  }

  private static func shortName(_ vector: Vector) -> String {
    String(vector.name.dropFirst("shared/".count).dropLast(".token".count))
  }
}
