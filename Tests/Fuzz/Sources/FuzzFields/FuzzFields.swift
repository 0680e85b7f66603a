@testable import MediaToken

/// Step 4 over any bytes: the answer does not depend on the pieces or on what was parsed before, the second lock opens
/// for all that the first one lets through, and then reads the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFields(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let document = Array(UnsafeBufferPointer(start: start, count: count))
  var parser = FieldParser()
  let whole = outcome(document, &parser)
  guard whole == outcome(document, &kept.parser) else {
    fatalError("a parser that was used before reads otherwise")
  }
  for chunk in [1, 2, 3, 7, 64, count / 2, count - 1] where chunk > 0 && chunk < count {
    guard outcome(document, &parser, chunk: chunk) == whole else {
      fatalError("in pieces of \(chunk) it reads otherwise")
    }
  }

  switch whole {
  case .fields:
    guard gateOpens(document) else { fatalError("accepted, though the first lock is shut") }
    guard outcome(document, &parser, .secondOnly) == whole else { fatalError("the second lock reads otherwise") }
  case .refused(.secondParserRefused):
    fatalError("the first lock lets through what libxml2 does not")
  case .refused(let reason):
    guard reason.verdict == .invalidTokenFormat else { fatalError("step 4 gives \(reason)") }
  case .undecided(let fault):
    fatalError("\(fault)")
  }
  return 0
}

/// A parser that outlives the inputs, as in a verifier.
private final class Kept { var parser = FieldParser() }
nonisolated(unsafe) private let kept = Kept()

private enum Outcome: Equatable {
  /// The UTF-8 of the fields: Swift's strings compare otherwise.
  case fields([[UInt8]])
  case refused(Reason)
  case undecided(Fault)
}

private func outcome(
  _ document: [UInt8], _ parser: inout FieldParser, _ locks: FieldLocks = .both, chunk: Int = .max
) -> Outcome {
  do throws(Refusal) {
    let fields = try UnverifiedFields(parsing: document.span, with: &parser, locks: locks, chunk: chunk)
    let names = [fields.requestorID, fields.resourceID, fields.mvpdID, fields.proxyMVPDID ?? ""].map(\.text)
    let times = [fields.ttl, fields.issueTime].map { text in text.bytes.indices.map { text.bytes[$0] } }
    return .fields(([fields.sessionGUID] + names + fields.unknownFields).map { Array($0.utf8) } + times)
  } catch {
    switch error {
    case .rejected(let rejection): return .refused(rejection.reason)
    case .undecided(let fault): return .undecided(fault)
    case .cancelled: fatalError("no task waits here")
    }
  }
}

private func gateOpens(_ document: [UInt8]) -> Bool {
  do throws(Refusal) {
    _ = try FieldGate.check(document.span)
    return true
  } catch {
    return false
  }
}
