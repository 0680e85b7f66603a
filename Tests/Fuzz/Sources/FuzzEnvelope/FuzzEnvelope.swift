import Foundation

@testable import MediaToken

/// Steps 1 and 2 over any bytes. They accept what the specification's spelling rules accept, written a second time for
/// the tests, and read the same in it; and whatever was accepted reads the same in every form that it can be written in.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEnvelope(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let received = Array(UnsafeBufferPointer(start: start, count: count))
  let reading = Reading(received)
  let expected = Spelling(Data(received)).map(Reading.init)
  guard reading == expected else { fatalError("accepted: \(reading != nil), by the rules: \(expected != nil)") }
  guard let reading else { return 0 }

  let token = reading.token
  for form in [token, token.base64EncodedData(), Data(token.flatMap { "%\(hexadecimal($0))".utf8 })] {
    // Trimming a raw token may eat a signed final blank, and an encoded form may be too long: the rules say so.
    guard Spelling(form).map(Reading.init) == reading else { continue }
    guard Reading(Array(form)) == reading else { fatalError("another form of the same token reads otherwise") }
  }
  return 0
}

/// What steps 1 and 2 read in a text. A signature longer than any key's is only counted.
private struct Reading: Equatable {
  let signature: Data
  let signedBytes: Data

  init(_ spelling: Spelling) {
    self.init(signature: spelling.signature, signedBytes: spelling.signedBytes)
  }

  private init(signature: Data, signedBytes: Data) {
    self.signature = signature.count <= Limits.signatureBytes ? signature : Data(count: signature.count)
    self.signedBytes = signedBytes
  }

  /// Nil if the text is refused.
  init?(_ received: [UInt8]) {
    var buffers = Armor.Buffers()
    var signatureBuffer = [UInt8](repeating: 0, count: Limits.signatureBytes)
    do throws(Refusal) {
      let token = try Armor.decode(received.span, into: &buffers)
      let envelope = try Envelope(cutting: token.bytes, signatureInto: &signatureBuffer)
      var signature = Data(count: envelope.signatureBytes)
      if let short = envelope.signature { signature = copy(short) }
      self.init(signature: signature, signedBytes: copy(envelope.signedBytes))
    } catch {
      guard case .rejected(let rejection) = error, rejection.verdict == .invalidTokenFormat else {
        fatalError("\(error)")
      }
      return nil
    }
  }

  /// The raw form.
  var token: Data {
    Data("<signatureInfo>".utf8) + signature.base64EncodedData() + Data("<signatureInfo>".utf8) + signedBytes
  }
}

private func copy(_ bytes: Span<UInt8>) -> Data {
  Data(bytes.indices.map { bytes[$0] })
}

private func hexadecimal(_ byte: UInt8) -> String {
  (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
