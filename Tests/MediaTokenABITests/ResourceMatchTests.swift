import CMediaToken
import Testing

@testable import MediaTokenABI

/// `resource_match` of a request.
@Suite struct ResourceMatchTests {
  private static let short = "<rss version='2.0'><channel><title>final</title></channel></rss>"
  private static let tall = "<rss version=\"2.0\">\n<channel><title>final</title></channel></rss>"

  private static func code(_ resource: RequestedResource, flags: Int = 0) throws -> mediatoken_code {
    let fixture = try CFixture()
    return fixture.verify(try fixture.token(1, resource: tall), resource: resource, flags: UInt32(flags)).code
  }

  @Test func eachMatchHasItsRule() throws {
    for (match, resource, code) in [
      (MEDIATOKEN_RESOURCE_EXACT, Self.tall, MEDIATOKEN_VALID_TOKEN),
      (MEDIATOKEN_RESOURCE_EXACT, Self.short, MEDIATOKEN_INVALID_RESOURCE_ID),
      (MEDIATOKEN_RESOURCE_DOCUMENT, Self.short, MEDIATOKEN_VALID_TOKEN),
      (MEDIATOKEN_RESOURCE_DOCUMENT, "final", MEDIATOKEN_BAD_ARGUMENT),
      (MEDIATOKEN_RESOURCE_CHANNEL, "final", MEDIATOKEN_VALID_TOKEN),
      (MEDIATOKEN_RESOURCE_CHANNEL, "other", MEDIATOKEN_INVALID_RESOURCE_ID),
      (MEDIATOKEN_RESOURCE_CHANNEL, Self.short, MEDIATOKEN_BAD_ARGUMENT),
    ] {
      let found = try Self.code(RequestedResource(text: resource, match: UInt32(match)))
      #expect(found == code, "\(match) \(resource)")
    }
  }

  @Test func whatIsUnknownIsRefused() throws {
    #expect(try Self.code(RequestedResource(text: Self.tall, match: 3)) == MEDIATOKEN_BAD_ARGUMENT)
    #expect(try Self.code(RequestedResource(text: Self.tall, reserved: 1)) == MEDIATOKEN_BAD_ARGUMENT)
    #expect(try Self.code(RequestedResource(text: ""), flags: MEDIATOKEN_ANY_RESOURCE) == MEDIATOKEN_VALID_TOKEN)
    let any = try Self.code(
      RequestedResource(text: "", match: UInt32(MEDIATOKEN_RESOURCE_CHANNEL)), flags: MEDIATOKEN_ANY_RESOURCE)
    #expect(any == MEDIATOKEN_BAD_ARGUMENT)
  }

  /// A program of an older header has no such member, and whatever lies after its struct is not read.
  @Test func formerSizeMeansExact() throws {
    func former(_ text: String) throws -> mediatoken_code {
      try Self.code(RequestedResource(text: text, match: 7, reserved: 7, size: 88))
    }
    #expect(try former(Self.tall) == MEDIATOKEN_VALID_TOKEN)
    #expect(try former(Self.short) == MEDIATOKEN_INVALID_RESOURCE_ID)
    #expect(try Self.code(RequestedResource(text: Self.tall, size: 92)) == MEDIATOKEN_BAD_SIZE)
  }
}
