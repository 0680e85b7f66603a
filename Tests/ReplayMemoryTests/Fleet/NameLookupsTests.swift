import MediaTokenSystem
import Testing

@testable import MediaToken

@Suite struct NameLookupsTests {
  @Test func `who asks for a name that hangs waits for the same lookup, and who asks later has another`() throws {
    let isFree = Monitor(false)
    let asked = Monitor<[String]>([])
    let lookups = NameLookups { host, port in
      asked.change { $0.append("\(host):\(port)") }
      if host == "hangs" { isFree.wait(atMostMilliseconds: 60_000) { $0 } }
      return [.local("/\(host)")]
    }
    let told = Monitor<[String?]>([])
    func begin(_ host: String, port: UInt16 = 1) throws {
      try lookups.begin(host, port: port) { addresses in told.change { $0.append(addresses.first?.path) } }
    }
    func comesToBeTold(_ count: Int) -> [String?] {
      told.wait(atMostMilliseconds: 60_000) { $0.count == count }
      return told.current
    }
    for _ in 0..<100 { try begin("hangs") }
    try begin("answers")
    #expect(comesToBeTold(1) == ["/answers"])
    isFree.change { $0 = true }
    #expect(comesToBeTold(101).dropFirst().allSatisfy { $0 == "/hangs" })
    #expect(asked.current.sorted() == ["answers:1", "hangs:1"])
    try begin("hangs")
    try begin("hangs", port: 2)
    #expect(comesToBeTold(103).count == 103)
    #expect(asked.current.suffix(2).sorted() == ["hangs:1", "hangs:2"])
  }
}
