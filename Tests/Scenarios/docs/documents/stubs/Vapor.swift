// The signatures of Vapor 4 that the articles use, and the application that its template makes.
public struct HTTPStatus: Sendable {
  public static let ok = HTTPStatus(statusCode: 200)
  public init(statusCode: Int, reasonPhrase: String = "") {}
}
public protocol AsyncResponseEncodable {}
extension HTTPStatus: AsyncResponseEncodable {}
public final class Request: Sendable {
  public struct Body: Sendable { public var string: String? { nil } }
  public var body: Body { Body() }
}
public final class Application: Sendable {
  @discardableResult public func post<Response: AsyncResponseEncodable>(
    _ path: String..., use closure: @Sendable @escaping (Request) async throws -> Response
  ) -> Application { self }
}
public let app = Application()
