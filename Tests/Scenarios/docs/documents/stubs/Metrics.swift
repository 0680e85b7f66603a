// The signatures of swift-metrics that the articles use.
public final class Timer {
  public init(label: String, dimensions: [(String, String)] = []) {}
  public func recordNanoseconds(_ duration: Int64) {}
}
