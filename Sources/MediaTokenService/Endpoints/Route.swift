internal import MediaTokenHTTP
internal import MediaTokenSystem

/// A row of a listener's table of routes: what is asked at a path, who may ask, and the function that answers.
final class Route<Handler>: Sendable {
  /// The function is given the handler's own buffers, which are empty.
  typealias Answer =
    @Sendable (Handler, borrowing Request, inout Scratch, inout Response) -> Answering

  enum Body: Sendable {
    /// It is the question.
    case question
    /// A viewer's request may have one, which its proxy sends along, and its connection is kept.
    case discarded
    case unread
  }

  enum Methods: Sendable {
    case get
    case post
    case every

    /// The value of `Allow`; nil: every method.
    var names: StaticString? {
      switch self {
      case .get: "GET, HEAD"
      case .post: "POST"
      case .every: nil
      }
    }

    func contains(_ method: Span<UInt8>) -> Bool {
      switch self {
      case .get: method.isExactly("GET") || method.isExactly("HEAD")
      case .post: method.isExactly("POST")
      case .every: true
      }
    }
  }

  /// Byte for byte: escapes are not decoded.
  let path: StaticString
  /// True if all that is below the path is its own, too.
  private let hasBelow: Bool
  let methods: Methods
  private let takesQuery: Bool
  let body: Body
  /// True if its answers say nothing about tokens and keys, so that every process on this machine may ask.
  let isPublic: Bool
  let answer: Answer

  init(
    _ path: StaticString, hasBelow: Bool = false, _ methods: Methods, takesQuery: Bool = false,
    body: Body = .unread, isPublic: Bool = false, _ answer: @escaping Answer
  ) {
    (self.path, self.hasBelow, self.methods, self.takesQuery) = (path, hasBelow, methods, takesQuery)
    (self.body, self.isPublic, self.answer) = (body, isPublic, answer)
  }

  /// Nil if no row has the path.
  static func row(of path: Span<UInt8>, in routes: [Route]) -> Route? {
    for route in routes where route.covers(path) { return route }
    return nil
  }

  /// True if the row is that of a path.
  func covers(_ path: Span<UInt8>) -> Bool {
    guard path.begins(with: self.path) else { return false }
    let length = self.path.utf8CodeUnitCount
    return path.count == length || hasBelow && path[length] == UInt8(ascii: "/")
  }

  /// Throws if the path does not take the request's method, or its query.
  func check(_ request: borrowing Request) throws(RequestError) {
    if !methods.contains(request.method), let names = methods.names { throw .methodNotAllowed(names) }
    guard takesQuery || request.query.isEmpty else {
      throw .parameter("there is a query, which the path does not take")
    }
  }

  func bodyRule(_ state: ServingState) -> BodyRule {
    switch body {
    case .question: .collect(atMost: state.configuration.limits.bodyBytes)
    case .discarded: .discard
    case .unread: .unread
    }
  }
}

extension RequestError {
  /// The paths of a table, for people.
  static func notFound<Handler>(in routes: [Route<Handler>]) -> RequestError {
    let paths = routes.map { "\($0.path)" }
    return .notFound("the path is not \(paths.dropLast().joined(separator: ", ")) or \(paths.last ?? "")")
  }
}

/// The buffers of a thread that answers, which keep their memory.
struct Scratch: ~Copyable {
  var name: [UInt8] = []
  var value: [UInt8] = []
  var question = Question()
}
