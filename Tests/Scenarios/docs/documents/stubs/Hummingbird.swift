// The signatures of Hummingbird 2 that the articles use.
public struct HTTPResponse {
  public struct Status: Sendable {
    public static let ok = Status(code: 200)
    public init(code: Int) {}
  }
}
public protocol ResponseGenerator {}
extension HTTPResponse.Status: ResponseGenerator {}
public struct ByteBuffer: Sendable { public var readableBytesView: [UInt8] { [] } }
public struct RequestBody: Sendable {
  public func collect(upTo size: Int) async throws -> ByteBuffer { ByteBuffer() }
}
public struct Request: Sendable { public let body: RequestBody }
public struct BasicRequestContext {}
public final class Router {
  public init() {}
  @discardableResult public func post(
    _ path: String,
    use handler: @Sendable @escaping (Request, BasicRequestContext) async throws -> some ResponseGenerator
  ) -> Self { self }
}
