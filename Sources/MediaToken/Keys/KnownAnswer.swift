internal import MediaTokenSystem

/// A signature whose answer is known, asked for before any key is trusted.
///
/// A libcrypto that was exchanged or damaged would otherwise be found out by tokens: it refuses all of them, or takes any.
enum KnownAnswer {
  /// Verifies a genuine signature, the same one over other bytes, and the same one with its last bit flipped.
  static func check() throws(Problem) {
    do throws(Problem) {
      let key = try RSAPublicKey.decoding(publicKey: publicKey.span)
      if try !Problem.ofReading(isWrong(key)) { return }
    } catch {
      if error.fault == .outOfMemory { throw error }
    }
    throw .wrongAnswer(libcrypto: CryptoLibrary.version, file: CryptoLibrary.file)
  }

  /// True if the genuine signature is taken for genuine right now: for a verification that failed without a known cause.
  static func isTaken() throws(Fault) -> Bool {
    let key: RSAPublicKey
    do throws(Problem) {
      key = try RSAPublicKey.decoding(publicKey: publicKey.span)
    } catch {
      throw error.fault ?? .internalFault
    }
    var hasher = try SHA256Hasher()
    return try SignatureContext(key).answer(to: signature.span, of: hasher.digest(of: message.span)) == .genuine
  }

  private static func isWrong(_ key: RSAPublicKey) throws(Fault) -> Bool {
    let context = try SignatureContext(key)
    var hasher = try SHA256Hasher()
    let signed = try hasher.digest(of: message.span)
    let other = try hasher.digest(of: message.span.extracting(droppingLast: 1))
    var flipped = signature
    flipped[flipped.count - 1] ^= 1
    guard try context.verifies(signature.span, of: signed) else { return true }
    if try context.verifies(signature.span, of: other) { return true }
    return try context.verifies(flipped.span, of: signed)
  }

  private static let message = Array("MediaToken: a signature whose answer is known".utf8)

  /// The SubjectPublicKeyInfo of a key of 2048 bits that signed ``message`` once, and was thrown away.
  private static let publicKey = bytes(
    """
    30820122300d06092a864886f70d01010105000382010f003082010a0282010100ad1de5ef1ba03f5381e14a6dba8d8de2d713c6f7688eca \
    54814acfe181ab713bbcdf2ab47c6041808b6ac2da0b92ad3f2906cfbbc54a995a7555aa4a99624c933f2c543e51f84cca652397c23970aa \
    2b522b8287ef4f127558217de40925aed0eab6aa0ef89d4a3064aa39d1155c320e92bc8014148464e488630fa3d6591bf3dd255d5b2628a1 \
    a6649d929f0ebcb1e4ff3ba9b6d3af912ddfcdaed30e0e00891b6e046d23371ef9c9ba6dcdf69448c80992cf4d2901035f8b492e1c80adcc \
    c7e2474603795f744df84ca7f8efb4521e762e2d862a94f2c86a7b91cc5a071a93fabbae90d046cd5c6ce228eb220d15e0b4648a678b06ca \
    e5e90805048bfeead70203010001
    """)

  /// Its RSASSA-PKCS1-v1_5 signature with SHA-256.
  private static let signature = bytes(
    """
    0db7079754984f4f1f56bf5450c4828ae719ede5d1ce254437a11ffd4d2b60a8bf9b429ded1105fa544a84168c6f1f82bcdaa299d911a8ad \
    69bfa15965cb6d3843b654961afd649fc51663c42124819617b866ea7c128a5abe255322a7b5496c5c1c68c9425e28db00bfe26f0c7cef7a \
    b9d8a4c8d2bd49bde069e43d95bc4cc315e313bf1dccc30177558743a6ba3414c7d44e0a670c62091a9f6461aebb33746385f75402e07075 \
    ba287e64f556d3a8af2775855a67cc769e305d3d8cc0b2ae1aab67585425df62b9da56bc2506d99fa78bc53bbddf71f0d127cc6b2f50684d \
    d8c11f47d6b6eedd33db1f12b4a92027b74622b6f1acc416a4f1070b4eace842
    """)

  private static func bytes(_ digits: String) -> [UInt8] {
    let values = digits.utf8.compactMap(Hexadecimal.value(ofDigit:))
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }
}

extension Problem {
  static func wrongAnswer(libcrypto version: String, file: String) -> Problem {
    Problem(
      "libcrypto (\(version)) gives a wrong answer to a known signature, so no key can be trusted with it",
      cure:
        "the answer is from \(file): if LD_PRELOAD or LD_LIBRARY_PATH names that file, unset it; else reinstall its package "
        + "(dpkg -S \(DisplayText.shellWord(Array(file.utf8))) names it), and if that does not help, install a newer mediatoken"
    )
  }
}
