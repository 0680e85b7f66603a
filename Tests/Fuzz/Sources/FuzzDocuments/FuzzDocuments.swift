@testable import MediaToken

/// Resource documents of any bytes: what both locks let through is read the same twice, means the same when line ends are spelled
/// otherwise, and is refused by no lock alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDocuments(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let whole = outcome(bytes)
  guard whole == outcome(bytes) else { fatalError("read again it says otherwise") }
  switch whole {
  case .document:
    guard gateOpens(bytes) else { fatalError("accepted, though the first lock is shut") }
    guard outcome(bytes, .secondOnly) == whole else { fatalError("the second lock reads otherwise") }
    guard bytes.count > Limits.receivedBytes / 2 || outcome(withCarriageReturns(bytes)) == whole else {
      fatalError("with other line ends it says otherwise")
    }
  case .refused(.outOfMemory): fatalError("libxml2 has no memory")
  case .refused: break
  }
  return 0
}

private enum Outcome: Equatable {
  case document(ResourceDocument)
  case refused(ResourceDocumentError)
}

private func outcome(_ bytes: [UInt8], _ locks: FieldLocks = .both) -> Outcome {
  do throws(ResourceDocumentError) {
    return .document(try ResourceDocument(parsing: bytes.span, locks: locks))
  } catch {
    return .refused(error)
  }
}

private func gateOpens(_ bytes: [UInt8]) -> Bool {
  do throws(ResourceDocumentError) {
    _ = try DocumentGate.check(bytes.span)
    return true
  } catch {
    return false
  }
}

/// The same with CR LF for every line feed that has no CR before it.
private func withCarriageReturns(_ bytes: [UInt8]) -> [UInt8] {
  var spelled: [UInt8] = []
  for byte in bytes {
    if byte == UInt8(ascii: "\n"), spelled.last != UInt8(ascii: "\r") { spelled.append(UInt8(ascii: "\r")) }
    spelled.append(byte)
  }
  return spelled
}
