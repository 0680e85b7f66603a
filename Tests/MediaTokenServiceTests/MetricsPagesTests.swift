import Testing

@testable import MediaTokenService

@Suite("The metrics' pages")
struct MetricsPagesTests {
  /// Where no thread is to be had, two readers' workers write one page each, and end in any order.
  @Test func olderPageDoesNotReplaceANewerOne() {
    let pages = MetricsPages()
    pages.publish([2], for: 2)
    pages.publish([1], for: 1)
    #expect(pages.page(for: 1) == [2])
    #expect(pages.page(for: 2) == [2], "who asked second is answered")
    #expect(pages.page(for: 3) == nil)
  }
}
