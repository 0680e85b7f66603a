package import MediaToken
internal import MediaTokenSystem

/// Tells whether two files hold one secret, without keeping any: of each only an HMAC is looked at, whose key is made here and
/// goes with this value.
package struct SecretMarks: ~Copyable {
  private let hash: KeyedHash

  package init() throws(Problem) {
    var generator = SystemRandomNumberGenerator()
    var key = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    defer { key.overwrite() }
    hash = try Problem.ofOpenSSL(KeyedHash(key: key.span))
  }

  /// The same for files with the same secret, whatever white space is around it and whichever case hexadecimal digits have.
  package func mark(of path: String) throws(Problem) -> [UInt8] {
    try SecretFile(path).secret { text throws(Problem) in
      var plain = text.compactMap { byte in byte > UInt8(ascii: " ") ? Self.lowercased(byte) : nil }
      defer { plain.overwrite() }
      return try Problem.ofOpenSSL(hash.code(of: plain))
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}
