import CLibCrypto
import Testing

@testable import MediaToken
@testable import MediaTokenIssuer

/// Whatever is wrong with a signature, it is a forgery and not a fault, in each version of OpenSSL that this is run with.
@Suite("Step 3: forged signatures")
struct ForgedSignatureTests {
  /// What the private key makes a signature of: the block of RFC 8017, 9.2, right or wrong in one place.
  enum Block: CaseIterable {
    case right, ofAnotherMessage, ofSHA1, withoutNull, blockType2, shortPadding

    func bytes(_ count: Int, over digest: [UInt8]) -> [UInt8] {
      let sha256: [UInt8] = [48, 49, 48, 13, 6, 9, 96, 134, 72, 1, 101, 3, 4, 2, 1, 5, 0, 4, 32]
      let (info, tail): ([UInt8], [UInt8]) =
        switch self {
        case .right, .blockType2: (sha256 + digest, [])
        case .ofAnotherMessage: (sha256 + digest.reversed(), [])
        case .ofSHA1: ([48, 33, 48, 9, 6, 5, 43, 14, 3, 2, 26, 5, 0, 4, 20] + digest.prefix(20), [])
        case .withoutNull: ([48, 47, 48, 11] + sha256[4..<15] + [4, 32] + digest, [])
        // The forgery of 2006: what follows after the digest makes up for the padding.
        case .shortPadding: (sha256 + digest, [UInt8](repeating: 7, count: 20))
        }
      let padding = [UInt8](repeating: 255, count: count - 3 - info.count - tail.count)
      return [0, self == .blockType2 ? 2 : 1] + padding + [0] + info + tail
    }
  }

  @Test(arguments: [1024, 2048, 4096])
  func isForgedAndNoFault(bits: Int) throws {
    let (own, other) = try (keyPair(bits), keyPair(bits))
    let count = bits / 8
    var hasher = try SHA256Hasher()
    let digest = try hasher.digest(of: [1, 2, 3].span)
    let bytes = digest.bytes.span.array
    let good = try raw(Block.right.bytes(count, over: bytes), by: own)
    var flipped = good
    flipped[count - 1] ^= 1
    var forgeries = try Block.allCases.dropFirst().map { try raw($0.bytes(count, over: bytes), by: own) }
    forgeries.append(try raw(Block.right.bytes(count, over: bytes), by: other))
    forgeries.append(flipped)
    forgeries.append([UInt8](repeating: 0, count: count))
    forgeries.append([UInt8](repeating: 0, count: count - 1) + [1])
    forgeries.append([UInt8](repeating: 255, count: count))
    forgeries.append(try modulus(of: own, count))
    #expect(forgeries.count == 11)

    let context = try SignatureContext(own)
    ERR_clear_error()
    defer { ERR_clear_error() }
    for hostHasErrors in [false, true] {
      if hostHasErrors { leaveErrors() }
      let stale = (ERR_peek_error(), ERR_peek_last_error())
      for forgery in forgeries {
        #expect(try !context.verifies(forgery.span, of: digest))
        #expect((ERR_peek_error(), ERR_peek_last_error()) == stale)
      }
      #expect(try context.verifies(good.span, of: digest))
      #expect((ERR_peek_error() != 0) == hostHasErrors)
    }
  }

  /// An owner of both halves.
  private func keyPair(_ bits: Int) throws -> RSAPublicKey {
    try DevelopmentKeyPair(bits: bits, of: bits...bits).key
  }

  /// As a host program does that was given no key where it expected one.
  private func leaveErrors() {
    var start: UnsafePointer<UInt8>?
    let key = unsafe d2i_PUBKEY(nil, &start, 0)
    unsafe EVP_PKEY_free(key)
  }

  /// The private key's power of a block, without any padding of OpenSSL's.
  private func raw(_ block: [UInt8], by key: RSAPublicKey) throws -> [UInt8] {
    let library = try CryptoLibrary.load()
    let made = unsafe EVP_PKEY_CTX_new_from_pkey(library.context, key.key, nil)
    defer { unsafe EVP_PKEY_CTX_free(made) }
    var (result, length) = ([UInt8](repeating: 0, count: block.count), block.count)
    let done =
      unsafe EVP_PKEY_sign_init(made) == 1 && EVP_PKEY_CTX_set_rsa_padding(made, RSA_NO_PADDING) == 1
      && EVP_PKEY_sign(made, &result, &length, block, block.count) == 1
    try #require(done)
    return result
  }

  private func modulus(of key: RSAPublicKey, _ count: Int) throws -> [UInt8] {
    var number: OpaquePointer?
    let found = unsafe EVP_PKEY_get_bn_param(key.key, OSSL_PKEY_PARAM_RSA_N, &number) == 1
    defer { unsafe BN_free(number) }
    var bytes = [UInt8](repeating: 0, count: count)
    let written = unsafe found && BN_bn2binpad(number, &bytes, Int32(count)) == Int32(count)
    try #require(written)
    return bytes
  }
}
