import MediaToken
import Testing

@testable import MediaTokenService

/// However many tenants, resources and routes there are, each is found as a search through all of them would find it.
@Suite struct ManyNamesTests {
  @Test func namesAreFoundByTheirBytes() {
    let names = (0..<1000).map { ExactText("\($0 * $0)") } + ["", "\u{E9}", "e\u{301}", "a", "aa", "b"]
    let sorted = SortedNames(names + names.prefix(10))
    #expect(sorted.names.count == Set(names).count)
    for name in names {
      let index = sorted.index(of: name.text.utf8Span.span)
      #expect(index.map { sorted.names[$0] } == name)
    }
    for other in ["2", "3", "c", "ab", "1000000", "\u{301}"] {
      #expect(sorted.index(of: other.utf8Span.span) == nil, "\(other)")
    }
    #expect(SortedNames([]).index(of: "a".utf8Span.span) == nil)
  }

  /// All paths of up to four segments that are `a`, `A` or `ab`, against all prefixes of up to three.
  @Test func routesAreFoundAsByASearchThroughAll() throws {
    func paths(_ depth: Int) -> [String] {
      depth == 0 ? [""] : [""] + paths(depth - 1).flatMap { rest in ["/a", "/A", "/ab"].map { $0 + rest } }
    }
    var generator = SystemRandomNumberGenerator()
    let prefixes = Set(paths(3)).subtracting([""]).filter { _ in Bool.random(using: &generator) } + ["/"]
    var settings = AuthSettings()
    settings.routes = prefixes.map { prefix in
      var rule = RouteRule()
      rule.prefix = ExactText(prefix)
      rule.requestor = ExactText(prefix)
      return rule
    }
    let rules = try AuthRules(settings, of: nil)
    for path in Set(paths(4)).subtracting([""]) {
      func covers(_ prefix: String) -> Bool { prefix == "/" || path == prefix || path.hasPrefix(prefix + "/") }
      let longest = try #require(prefixes.filter(covers).max { $0.utf8.count < $1.utf8.count })
      let isAmbiguous = prefixes.contains { other in
        let (path, prefix) = (path.lowercased(), other.lowercased())
        return other.utf8.count > longest.utf8.count && (path == prefix || path.hasPrefix(prefix + "/"))
      }
      let found = try? rules.route(to: Array(path.utf8))
      #expect(found.map { String(decoding: $0.prefix, as: UTF8.self) } == (isAmbiguous ? nil : longest), "\(path)")
    }
  }
}
