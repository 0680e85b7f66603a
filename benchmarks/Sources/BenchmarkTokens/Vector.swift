import Glibc
import MediaToken

/// A vector: header lines, an empty line, the token.
public struct Vector {
  public var header: [String: String] = [:]
  public var token: [UInt8]

  public init(readingFile path: String) {
    guard let file = fopen(path, "r") else { fatalError("cannot open \(path)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    bytes.removeLast(bytes.count - count)
    guard let end = bytes.indices.first(where: { bytes[$0] == 10 && $0 + 1 < count && bytes[$0 + 1] == 10 }) else {
      fatalError("\(path) is not a vector")
    }
    for line in String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n") {
      let colon = line.firstIndex(of: ":")!
      header[String(line[..<colon])] = String(line[line.index(colon, offsetBy: 2)...])
    }
    token = Array(bytes[(end + 2)...])
  }

  /// A raw token that is no vector.
  public init(token: [UInt8]) { self.token = token }

  /// Signature and signed bytes of a raw token.
  public func cut() -> ([UInt8], [UInt8]) {
    let marker = Array("<signatureInfo>".utf8)
    let text = token[marker.count...]
    let end = text.firstIndex(of: UInt8(ascii: "<"))!
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var (signature, bits, held): ([UInt8], UInt32, Int) = ([], 0, 0)
    for byte in text[..<end] where byte != UInt8(ascii: "=") {
      bits = bits << 6 | UInt32(alphabet.firstIndex(of: byte)!)
      held += 6
      if held >= 8 {
        held -= 8
        signature.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    return (signature, Array(token[(end + marker.count)...]))
  }

  /// The vector's key, with consent to it if it is an old one.
  public func trustedKeys(in folder: String) throws -> TrustedKeys {
    try Self.trustedKeys(readingFile: folder + "/" + header["keys"]!)
  }

  /// A key, with consent to it if it is an old one.
  public static func trustedKeys(readingFile path: String) throws -> TrustedKeys {
    do throws(KeyError) {
      return try TrustedKeys(readingFiles: [path], consent: .none)
    } catch {
      guard case .consentMissing(let fingerprint, _) = error.reason else { throw error }
      return try TrustedKeys(readingFiles: [path], consent: .fingerprints([fingerprint]))
    }
  }
}
