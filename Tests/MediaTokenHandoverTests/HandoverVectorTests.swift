import Foundation
import MediaToken
import Testing

@testable import MediaTokenHandover

/// What other people's code mints of the same keys and times, byte for byte.
@Suite struct HandoverVectorTests {
  private struct Vectors: Decodable {
    let now: Int64
    let vectors: [Vector]
  }

  private struct Vector: Decodable {
    let format, path, credential: String
    let lifeSeconds: Int
    let keyID, host: String?

    enum CodingKeys: String, CodingKey {
      case format, path, credential, lifeSeconds, host
      case keyID = "key_id"
    }
  }

  @Test func `every vector is minted`() throws {
    let keys = try KeyFixture()
    let data = try Data(contentsOf: KeyFixture.fixtures.appendingPathComponent("vectors.json"))
    let read = try JSONDecoder().decode(Vectors.self, from: data)
    #expect(read.vectors.count == 105)
    for vector in read.vectors {
      let format = try #require(HandoverFormat(rawValue: vector.format))
      let terms = try HandoverTerms(
        format: format, path: vector.path, lifeSeconds: vector.lifeSeconds, keyID: vector.keyID, host: vector.host)
      let minter = try HandoverMinter(terms, keyFile: keys.key(for: format))
      // Any millisecond of the second.
      for millisecond in [0, 999] as [Int64] {
        let now = Instant(millisecondsSinceEpoch: read.now * 1000 + millisecond)
        let minted = try minter.credential(at: now)
        #expect(minted.text == vector.credential)
      }
    }
    // ECDSA is another signature each time; a scenario verifies it.
    #expect(Set(read.vectors.map(\.format)).count == HandoverFormat.allCases.count - 1)
  }

  /// OpenSSL's code (openssl mac -digest SHA256 -macopt hexkey:52a1… HMAC) with a key as customers of Akamai have it.
  @Test func `a key of 32 digits and CR LF makes the code that the CDN makes`() throws {
    let keys = try KeyFixture()
    defer { withExtendedLifetime(keys) {} }
    let path = try keys.file("52A152a152a152a152a152a152a152a1\r\n")
    let minter = try HandoverMinter(.usual(.akamaiEdgeAuth), keyFile: path)
    let minted = try minter.credential(at: Instant(millisecondsSinceEpoch: 1_795_176_000_000))
    #expect(
      minted.text
        == "st=1795176000~exp=1795179600~acl=/live/tnt/*~hmac=7da3a021f7248e19f10cd0ac6985698e92998e48804f808e896fbdd314c7aab8"
    )
  }

  @Test func `a credential is in the cookies that its reader knows`() throws {
    let keys = try KeyFixture()
    let names: [HandoverFormat: [String]] = [
      .nginxSecureLink: ["mt_md5", "mt_expires"], .akamaiEdgeAuth: ["hdnts"],
      .cloudFrontCookie: [
        "CloudFront-Policy", "CloudFront-Signature", "CloudFront-Key-Pair-Id", "CloudFront-Hash-Algorithm",
      ],
      .commonAccessToken: ["CTA-Common-Access-Token"], .jwtHS256: ["mt_jwt"], .jwtES256: ["mt_jwt"],
    ]
    for format in HandoverFormat.allCases {
      let minted = try HandoverMinter(.usual(format), keyFile: keys.key(for: format)).credential(at: .now)
      #expect(minted.cookies.map(\.name) == names[format])
      let parts = minted.cookies.map(\.value)
      switch format {
      case .nginxSecureLink: #expect(minted.text == "md5=\(parts[0])&expires=\(parts[1])")
      case .cloudFrontCookie:
        #expect(minted.text == minted.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "))
      default: #expect(parts == [minted.text])
      }
      // What a cookie may hold (RFC 6265, section 4.1.1), so that nothing of it is quoted, cut off or a second header.
      for part in parts {
        #expect(
          part.utf8.allSatisfy {
            (0x21...0x7E).contains($0)
              && ![UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\""), 0x5C].contains($0)
          })
      }
      #expect(minted.path == "/live/tnt/" && minted.lifeSeconds == 3600)
    }
  }

  @Test func `a signature of ES256 always has its two numbers in 32 bytes each`() throws {
    let keys = try KeyFixture()
    let minter = try HandoverMinter(.usual(.jwtES256), keyFile: keys.key(for: .jwtES256))
    // One number in 256 is shorter.
    for second in 0..<600 as Range<Int64> {
      let minted = try minter.credential(at: Instant(millisecondsSinceEpoch: second * 1000))
      let parts = minted.text.split(separator: ".")
      #expect(parts.count == 3 && parts[2].utf8.count == 86)
    }
  }

  @Test func `threads share a key`() async throws {
    let keys = try KeyFixture()
    let noon = Instant(millisecondsSinceEpoch: 1_795_176_000_000)
    for format in HandoverFormat.allCases where format != .jwtES256 {
      let minter = try HandoverMinter(.usual(format), keyFile: keys.key(for: format))
      let wanted = try minter.credential(at: noon)
      let others = try await withThrowingTaskGroup(of: [HandoverCredential].self) { group in
        for _ in 0..<4 { group.addTask { try (0..<50).map { _ in try minter.credential(at: noon) } } }
        return try await group.reduce(into: Set<HandoverCredential>()) { $0.formUnion($1) }
      }
      #expect(others == [wanted])
    }
  }
}
