import Foundation

/// The specification's spelling rules once more, written from its text and not from the library, so that the two can be
/// compared: what a received text says, as the signature's and the signed bytes, or nil if it is not a token.
struct Spelling: Equatable {
  let signature: Data
  let signedBytes: Data

  init?(_ received: Data) {
    guard received.count <= 65_536 else { return nil }
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 || byte == 10 }
    guard let first = received.firstIndex(where: { !isBlank($0) }),
      let last = received.lastIndex(where: { !isBlank($0) })
    else { return nil }
    let text = Data(received[first...last])
    let trimmedNext = last + 1 < received.endIndex ? received[last + 1] : nil
    if text.starts(with: Self.open) {
      self.init(token: text)
    } else if text.starts(with: Data("%3C".utf8)) || text.starts(with: Data("%3c".utf8)) {
      guard let token = Self.percentDecoded(text) else { return nil }
      self.init(token: token)
    } else if text.starts(with: Data("PHNpZ25hdHVyZUluZm8".utf8)) {
      guard let token = Self.base64Decoded(text, trimmedNext: trimmedNext) else { return nil }
      self.init(token: token)
    } else {
      return nil
    }
  }

  private static let open = Data("<signatureInfo>".utf8)
  private static let close = Data("</signatureInfo>".utf8)

  /// `<signatureInfo>` S M B.
  private init?(token: Data) {
    guard token.starts(with: Self.open) else { return nil }
    let rest = Data(token.dropFirst(Self.open.count))
    guard let end = rest.firstIndex(of: UInt8(ascii: "<")) else { return nil }
    let (text, following) = (Data(rest[..<end]), Data(rest[end...]))
    let marker = following.starts(with: Self.open) ? Self.open : Self.close
    guard following.starts(with: marker), following.count > marker.count, !text.isEmpty else { return nil }
    guard let signature = Self.canonical(Self.replacing(text, [" ": "+"])) else { return nil }
    self.signature = signature
    signedBytes = Data(following.dropFirst(marker.count))
  }

  /// Every `%` needs two hex digits; `+` is a space; once.
  private static func percentDecoded(_ text: Data) -> Data? {
    var decoded = Data()
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "%"):
        guard let byte = escaped(text, at: index) else { return nil }
        decoded.append(byte)
        index += 3
      case UInt8(ascii: "+"):
        decoded.append(UInt8(ascii: " "))
        index += 1
      default:
        decoded.append(text[index])
        index += 1
      }
    }
    return decoded
  }

  private static func escaped(_ text: Data, at index: Int) -> UInt8? {
    guard index + 2 < text.count else { return nil }
    let digits = text[(index + 1)...(index + 2)]
    guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }) else { return nil }
    return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static func base64Decoded(_ trimmed: Data, trimmedNext: UInt8?) -> Data? {
    var text = trimmed
    if text.contains(UInt8(ascii: "%")) {
      var unescaped = Data()
      var index = 0
      while index < text.count {
        if text[index] == UInt8(ascii: "%") {
          guard let byte = escaped(text, at: index), [0x2B, 0x2F, 0x3D].contains(byte) else { return nil }
          unescaped.append(byte)
          index += 3
        } else {
          unescaped.append(text[index])
          index += 1
        }
      }
      text = unescaped
    } else if text.count % 4 == 3, trimmedNext == 32 {
      text.append(32)
    }
    let used = Set(text)
    let urlSafe = !used.isDisjoint(with: "-_".utf8)
    if urlSafe && !used.isDisjoint(with: " +/".utf8) { return nil }
    text = replacing(text, urlSafe ? ["-": "+", "_": "/"] : [" ": "+"])
    if !text.contains(UInt8(ascii: "=")) {
      text.append(contentsOf: Data(repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4))
    }
    return canonical(text)
  }

  private static func replacing(_ text: Data, _ pairs: KeyValuePairs<Character, Character>) -> Data {
    var replaced = text
    for (old, new) in pairs {
      guard let old = old.asciiValue, let new = new.asciiValue else { continue }
      while let index = replaced.firstIndex(of: old) { replaced[index] = new }
    }
    return replaced
  }

  /// What the text decodes to, if it is the one spelling that this has.
  private static func canonical(_ text: Data) -> Data? {
    guard let decoded = Data(base64Encoded: text), decoded.base64EncodedData() == text else { return nil }
    return decoded
  }
}
