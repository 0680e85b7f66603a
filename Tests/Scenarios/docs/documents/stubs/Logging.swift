// The signatures of swift-log that the articles use.
public struct Logger {
  public typealias Metadata = [String: MetadataValue]
  public typealias Message = MetadataValue
  public struct MetadataValue: ExpressibleByStringInterpolation, Sendable {
    public init(stringLiteral text: String) {}
  }
  public init(label: String) {}
  public func info(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
  public func notice(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
  public func warning(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
  public func error(_ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil) {}
}
extension Logger: Sendable {}
