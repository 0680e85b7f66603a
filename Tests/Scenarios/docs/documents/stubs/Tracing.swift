// The signatures of swift-distributed-tracing that the articles use.
public protocol Span: AnyObject { var attributes: SpanAttributes { get set } }
public struct SpanAttributes {
  public subscript(name: String) -> String? {
    get { nil }
    set {}
  }
}
private final class NoSpan: Span { var attributes = SpanAttributes() }
public func withSpan<T>(
  _ operationName: String, isolation: isolated (any Actor)? = #isolation,
  _ operation: (any Span) async throws -> T
) async rethrows -> T { try await operation(NoSpan()) }
