internal import MediaTokenHTTP
internal import MediaTokenSystem

/// Routes by the segments of their prefixes, in which ASCII letters of either case are the same: to find those of a path takes one
/// step a segment, however many routes there are.
struct RouteTree: Sendable {
  /// The routes whose prefix ends here; of several the prefixes differ by case alone.
  private var routes: [AuthRules.Route] = []
  private var below: [ArraySlice<UInt8>: RouteTree] = [:]

  mutating func insert(_ route: AuthRules.Route) {
    insert(route, under: Self.segments(of: route.prefix)[...])
  }

  private mutating func insert(_ route: AuthRules.Route, under segments: ArraySlice<ArraySlice<UInt8>>) {
    guard let segment = segments.first else { return routes.append(route) }
    below[segment, default: RouteTree()].insert(route, under: segments.dropFirst())
  }

  /// The routes that cover a decoded path if case is ignored, the longest prefix last. A prefix covers itself and
  /// everything below it, not a path that merely begins alike: `/live` covers `/live/one` and not `/liveness`.
  func routes(covering path: [UInt8]) -> [AuthRules.Route] {
    var (tree, found) = (self, routes)
    for segment in Self.segments(of: path) {
      guard let next = tree.below[segment] else { break }
      tree = next
      found += tree.routes
    }
    return found
  }

  private static func segments(of path: [UInt8]) -> [ArraySlice<UInt8>] {
    path.map(\.lowercased).split(separator: UInt8(ascii: "/"))
  }
}
