import Foundation
import MediaToken
import Testing

/// One file of `Tests/Vectors`: a received text, and what must be said about it. The format is in the README there.
struct Vector: Sendable, CustomTestStringConvertible {
  let name: String
  let received: [UInt8]
  let verdict: Verdict
  let reason: Reason?
  let keys: [String]
  let requestor: ExpectedRequestor
  let resource: ExpectedResource
  let now: Instant
  let policy: Policy

  var testDescription: String { name }
}

extension Vector {
  /// A file that is not a vector, which is never skipped silently.
  struct FormatError: Error, CustomStringConvertible {
    let name: String
    let problem: String
    var description: String { "\(name): \(problem)" }
  }

  /// Reads a vector; an unknown or repeated header, or a value that is out of place, is an error.
  init(name: String, file: [UInt8]) throws {
    func fail(_ problem: String) -> FormatError { FormatError(name: name, problem: problem) }

    var headers: [String: [String]] = [:]
    var rest = file[...]
    while true {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { throw fail("no blank line after the headers") }
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if line.isEmpty { break }
      guard let colon = line.firstIndex(of: ":") else { throw fail("no header: \(line)") }
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      headers[String(line[..<colon]), default: []].append(String(value))
    }

    func takeAll(_ header: String) -> [String]? { headers.removeValue(forKey: header) }
    func take(_ header: String) throws -> String? {
      guard let values = takeAll(header) else { return nil }
      guard values.count == 1 else { throw fail("\(header) twice") }
      return values[0]
    }
    func decoded(_ value: String) throws -> String {
      guard let text = value.removingPercentEncoding else { throw fail("no percent-encoding: \(value)") }
      return text
    }
    func milliseconds(_ header: String, default standard: Int64) throws -> Int64 {
      guard let value = try take(header) else { return standard }
      guard let number = Int64(value) else { throw fail("no number: \(header)") }
      return number
    }

    guard try take("comment") != nil else { throw fail("no comment") }
    let expected = try take("expect")
    guard let verdict = Verdict.allCases.first(where: { $0.answer.wireName == expected }) else {
      throw fail("no verdict: \(expected ?? "")")
    }
    let reason = try take("reason")
    guard reason == nil || Reason(rawValue: reason ?? "") != nil else { throw fail("no reason: \(reason ?? "")") }
    guard let keys = try take("keys"), let now = try take("now").flatMap({ Int64($0) }) else {
      throw fail("no keys or no time")
    }
    self.name = name
    self.verdict = verdict
    self.reason = reason.flatMap(Reason.init(rawValue:))
    self.keys = keys.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    self.now = Instant(millisecondsSinceEpoch: now)
    requestor = try take("requestor").map { .exactly(try decoded($0)) } ?? .anyRequestor
    let resources: [ExpectedResource?] = try [
      take("resource").map { .exactly(try decoded($0)) },
      take("resource-document").map { try .sameDocument(as: try decoded($0)) },
      take("resource-channel").map { try .channel(try decoded($0)) },
    ]
    guard resources.compactMap(\.self).count <= 1 else { throw fail("several resources") }
    resource = resources.compactMap(\.self).first ?? .anyResource

    guard let unknownFields = Policy.UnknownFields(rawValue: try take("unknown-fields") ?? "report") else {
      throw fail("unknown-fields is report or reject")
    }
    policy = try Policy(
      maxTTLMilliseconds: milliseconds("max-ttl", default: 3_600_000),
      futureToleranceMilliseconds: milliseconds("future-tolerance", default: 60_000),
      expiryToleranceMilliseconds: milliseconds("expiry-tolerance", default: 0),
      unknownFields: unknownFields,
      mvpds: MVPDList(
        allowing: try takeAll("allow-mvpd")?.map { ExactText(try decoded($0)) },
        allowingProxies: try takeAll("allow-proxy-mvpd")?.map { ExactText(try decoded($0)) },
        denying: try takeAll("deny-mvpd")?.map { ExactText(try decoded($0)) } ?? []))
    guard headers.isEmpty else { throw fail("unknown headers: \(headers.keys.sorted())") }
    received = Array(rest)
  }
}
