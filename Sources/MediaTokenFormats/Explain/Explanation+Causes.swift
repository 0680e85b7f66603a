internal import MediaToken
internal import MediaTokenSystem

/// The causes of a refusal, by people and programs on the token's way: text around it, changes to it, differences
/// between two texts.
extension Explanation {
  /// Notes what is known of the cause at the step that failed. The received text that is inside another is returned, if
  /// there is one.
  mutating func noteCause(of received: Span<UInt8>) -> [UInt8]? {
    switch failed?.step {
    case .armor, .envelope: return noteLayers(of: received)
    case .signature: noteChange(of: received)
    case .lifetime, .binding: noteDifference()
    case .fields, .oneUse, nil: break
    }
    return nil
  }

  private mutating func noteLayers(of received: Span<UInt8>) -> [UInt8]? {
    let unwrapping = Unwrapping(received)
    guard !unwrapping.layers.isEmpty else {
      if failed?.step == .envelope, endsInSignature(received) {
        add([.cause(.cutOffInSignature.named("\(received.count)"))])
      } else {
        noteBytes(of: TextBytes.trimmed(received))
      }
      return nil
    }
    add(unwrapping.layers.map { .cause($0) })
    return unwrapping.inside
  }

  /// True if no marker comes after the first one.
  private func endsInSignature(_ received: Span<UInt8>) -> Bool {
    var buffers = Armor.Buffers()
    guard let token = try? Armor.decode(received, into: &buffers) else { return false }
    let mark = UInt8(ascii: "<")
    return (0..<token.bytes.count).count { token.bytes[$0] == mark } == 1
  }

  /// For a text that has no form of a token, and nothing else that is known: its beginning and end, by few of its
  /// bytes, so that none is shown.
  private mutating func noteBytes(of text: [UInt8]) {
    guard !text.isEmpty, text.count <= Limits.receivedBytes, Armor.form(of: text.span) == nil else { return }
    func shown(_ bytes: ArraySlice<UInt8>) -> String {
      bytes.map { byte in
        let digits = [Hexadecimal.upperDigit(byte >> 4), Hexadecimal.upperDigit(byte & 15)]
        return (0x21..<0x7F).contains(byte)
          ? String(Unicode.Scalar(byte)) : "\\x" + String(decoding: digits, as: UTF8.self)
      }.joined()
    }
    let length = min(4, (text.count + 7) / 8)
    add([.unknownText(bytes: text.count, from: shown(text.prefix(length)), to: shown(text.suffix(length)))])
  }

  /// For a token whose signature does not fit.
  private mutating func noteChange(of received: Span<UInt8>) {
    var buffers = Armor.Buffers()
    guard let token = try? Armor.decode(received, into: &buffers) else { return }
    var decoded: [UInt8] = []
    decoded.append(copying: token.bytes)
    var checks = SignatureChecks(after: decoded, by: verifier)
    let expected: String? = if case .exactly(let text) = resource, asked.resource { text.text } else { nil }
    let found = Cause.change(
      of: TextBytes.trimmed(received), decodedTo: decoded, expecting: expected, with: &checks)
    if !found.isComplete { add([.untriedChanges]) }
    if let change = found.change {
      add([.cause(change)])
    } else if let signed = TextBytes.signedPart(of: decoded), TextBytes.isCutOff(Array(signed)) {
      add([.cause(.cutOff.named("\(received.count)"))])
    }
  }

  private mutating func noteDifference() {
    // The binding of an expired token may fail as well.
    guard let fields, reports.contains(where: { $0.step == .binding && $0.outcome == .failed }) else { return }
    func note(_ name: BoundName, _ expected: String, _ found: String) {
      guard let difference = TextDifference(expected: expected, found: found) else { return }
      add([.difference(name, difference)], at: .binding)
    }
    if case .exactly(let expected) = requestor, asked.requestor {
      note(.requestor, expected.text, fields.requestorID.text)
    }
    guard case .exactly(let expected) = resource, asked.resource else { return }
    note(.resource, expected.text, fields.resourceID.text)
    if let document = try? ResourceDocument(fields.resourceID.text), (try? ResourceDocument(expected.text)) == nil {
      add([.document(channel: document.channelTitle.text)], at: .binding)
    }
  }
}
