import MediaToken
import MediaTokenFormats
import Testing

@testable import MediaTokenService

/// Walks the declarations: what they say is what the parser and the restart rule do.
@Suite struct SettingsTests {
  /// Every object is there, and nothing in it is a default but `observe`, which does not go with a hand-over: a processor's number
  /// of threads is below 63.
  static let base = """
    {"socket": {"path": "/run/s", "mode": "0600", "owner": 1, "group": 1},
     "tcp": {"address": "::1", "port": 9, "mayVerify": true},
     "inspector": {"path": "/run/i", "mode": "0660", "owner": 1, "group": 3},
     "threads": 63, "keys": ["/k"], "allowRSA1024": [],
     "replay": {"address": {"from": "postgres:e@a/d", "to": "postgres:f@a/d", "until": 1700000000,
         "fleet": {"credentials": "/o", "deadlineMilliseconds": 20, "graceSeconds": 7, "localTable": "shared:/t"},
         "maxTTLMilliseconds": 8000, "futureToleranceMilliseconds": 8, "expiryToleranceMilliseconds": 8},
       "retryWindowMilliseconds": 1000,
       "fleet": {"credentials": "/c", "deadlineMilliseconds": 20, "graceSeconds": 7, "localTable": "shared:/t"}},
     "requestIDHeader": "X-ID",
     "tenants": [{"requestor": "A", "resources": ["x"], "allowMVPDs": ["M"], "allowProxyMVPDs": ["P"],
       "denyMVPDs": ["N"],
       "maxTTLMilliseconds": 7000, "futureToleranceMilliseconds": 7, "expiryToleranceMilliseconds": 7,
       "unknownFields": "reject", "handover": {"format": "cloudfront-cookie", "key": "/h", "lifeSeconds": 7,
         "path": "/a/", "keyID": "k", "host": "a.b"}}, {"requestor": "B"}],
     "auth": {"tokenHeader": "X-Token", "queryParameter": "t", "uriHeader": "X-Original-URI",
       "methodHeader": "X-Original-Method", "requestorHeader": "X-R", "resourceHeader": "X-S",
       "routes": [{"prefix": "/a", "methods": ["GET"],
         "handover": {"format": "cloudfront-cookie", "key": "/r", "lifeSeconds": 7, "path": "/a/", "keyID": "k",
           "host": "a.b", "cookie": {"secure": false, "sameSite": "Strict", "domain": "c.d"}}}], "observe": false},
     "limits": {"bodyBytes": 5000, "headBytes": 2000, "connections": 5},
     "deadlines": {"requestMilliseconds": 7000, "idleMilliseconds": 7000, "drainMilliseconds": 7000},
     "log": {"verdicts": "none", "linesPerSecond": 5},
     "viewerTag": {"key": "/t", "rotateHours": 5}}
    """

  /// Another value for every setting that is text, or a list of texts.
  static let others = [
    "socket.path": "/run/t", "socket.mode": "0666", "tcp.address": "127.0.0.1",
    "inspector.path": "/run/j", "inspector.address": "[::1]:8", "inspector.mode": "0640", "keys": "/l",
    "allowRSA1024": String(repeating: "f", count: 64), "replay.address.from": "postgres:g@a/d",
    "replay.address.to": "postgres:h@a/d", "replay.address.fleet.credentials": "/p",
    "replay.address.fleet.localTable": "shared:/u",
    "replay.fleet.credentials": "/d", "replay.fleet.localTable": "shared:/u", "tenants[].requestor": "C",
    "tenants[].resources": "y", "tenants[].allowMVPDs": "O", "tenants[].allowProxyMVPDs": "O",
    "tenants[].denyMVPDs": "O",
    "auth.tokenHeader": "X-Other", "auth.queryParameter": "u", "auth.uriHeader": "X-Forwarded-Uri",
    "auth.methodHeader": "X-Forwarded-Method", "auth.requestorHeader": "X-Other", "auth.resourceHeader": "X-Other",
    "auth.routes[].prefix": "/b", "auth.routes[].requestor": "B", "auth.routes[].resource": "z",
    "tenants[].resourceDocument": document, "tenants[].resourceChannel": "TNT",
    "auth.routes[].resourceDocument": document, "auth.routes[].resourceChannel": "TNT",
    "requestIDHeader": "X-Other", "viewerTag.key": "/u", "$schema": "/s",
    "tenants[].handover.key": "/i", "tenants[].handover.path": "/b/", "tenants[].handover.keyID": "l",
    "tenants[].handover.host": "e.f", "auth.routes[].handover.key": "/j", "auth.routes[].handover.path": "/b/",
    "auth.routes[].handover.keyID": "l", "auth.routes[].handover.host": "e.f",
    "auth.routes[].handover.cookie.domain": "g.h",
  ]

  private static let document = "<rss version='2.0'><channel><title>TNT</title></channel></rss>"

  /// What one setting is changed in: without what its other value does not go with.
  static func base(for key: String) throws -> JSONTree {
    let base = try JSONTree(parsing: Array(base.utf8).span)
    if ["auth.observe", "auth.routes[].unprotected", "auth.routes[].methods"].contains(key) {
      return base.with(nil, at: "auth.routes[].handover")
    }
    if ["tenants[].resourceDocument", "tenants[].resourceChannel"].contains(key) {
      return base.with(nil, at: "tenants[].resources")
    }
    if key == "inspector.address" {
      return base.with(.object([]), at: "inspector").with(.string("127.0.0.1:8"), at: key)
    }
    if key == "auth.routes[].handover.cookie.partitioned" {
      return base.with(.string("None"), at: "auth.routes[].handover.cookie.sameSite")
        .with(nil, at: "auth.routes[].handover.cookie.secure")
    }
    guard key.hasSuffix("handover.format") else { return base }
    let place = key.dropLast("format".utf8.count)
    return base.with(nil, at: place + "keyID").with(nil, at: place + "host").with(.string("jwt-hs256"), at: key)
  }

  static var leaves: [SettingDescription] { ConfigurationFile.settings.filter { $0.members.isEmpty } }

  @Test func keysAreAllDifferentAndTextsHaveAnotherValueHere() {
    #expect(ConfigurationFile.settings.count >= 84)
    #expect(Set(ConfigurationFile.settings.map(\.key)).count == ConfigurationFile.settings.count)
    #expect(Set(Self.leaves.filter { $0.kind.holdsText }.map(\.key)) == Set(Self.others.keys))
  }

  @Test func everySettingSaysWhatItIsForAndWhatItCounts() {
    for setting in ConfigurationFile.settings {
      #expect(setting.sentence.utf8.count >= 10 && !setting.sentence.hasSuffix("."), "\(setting.key)")
      guard case .number(_, let unit) = setting.kind else { continue }
      #expect(setting.name.hasSuffix("Milliseconds") == (unit == .milliseconds), "\(setting.key)")
      #expect(setting.name.hasSuffix("Seconds") == (unit == .seconds), "\(setting.key)")
      #expect(setting.name.hasSuffix("Bytes") == (unit == .bytes), "\(setting.key)")
    }
  }

  @Test func everySettingSaysWhatHoldsWithoutIt() {
    for setting in Self.leaves {
      let says = setting.standard != nil || setting.absence != nil
      #expect(setting.isRequired != says, "\(setting.key)")
    }
  }

  /// A default outside of its range would be refused here, and one that is not what holds without the key would
  /// make another configuration.
  @Test func everyDefaultIsAValueThatCouldBeWritten() throws {
    let base = try JSONTree(parsing: Array(Self.base.utf8).span)
    var count = 0
    for setting in ConfigurationFile.settings {
      guard let standard = setting.standard else { continue }
      let written = try ConfigurationFile.configuration(base.with(standard, at: setting.key))
      #expect(try ConfigurationFile.configuration(base.with(nil, at: setting.key)) == written, "\(setting.key)")
      count += 1
    }
    #expect(count >= 24)
  }

  @Test func everySettingIsReadAndAWrongValueIsBlamedOnIt() throws {
    let base = try JSONTree(parsing: Array(Self.base.utf8).span)
    for setting in ConfigurationFile.settings {
      for wrong in setting.kind.wrongValues {
        let error = #expect(throws: Problem.self, "\(setting.key)") {
          try ConfigurationFile.configuration(base.with(wrong, at: setting.key))
        }
        #expect(error?.code == setting.key.replacing("[]", with: "[0]"))
        guard wrong.isOfOtherType(than: setting.kind) else { continue }
        let cure = "; write it like this: \"\(setting.name)\": \(setting.kind.example)"
        #expect(error?.sentence.hasSuffix(cure) == true, "\(setting.key): \(error?.sentence ?? "-")")
      }
      if setting.members.isEmpty {
        let base = try Self.base(for: setting.key)
        let changed = try ConfigurationFile.configuration(base.with(try Self.other(setting), at: setting.key))
        #expect(try changed != ConfigurationFile.configuration(base), "\(setting.key)")
      }
    }
  }

  /// The form that messages show is one that is read: an example is no value of another type, nor has it unknown keys.
  @Test func everyExampleIsOfItsType() throws {
    for setting in ConfigurationFile.settings {
      let text = "{\"\(setting.name)\": \(setting.kind.example)}"
      let example = try #require(try JSONTree(parsing: Array(text.utf8).span)[setting.name], "\(text)")
      #expect(!example.value.isOfOtherType(than: setting.kind), "\(text)")
      for member in setting.members where member.isRequired && !setting.kind.isEither {
        #expect(setting.kind.example.contains("\"\(member.name)\": \(member.kind.example)"), "\(text)")
      }
    }
  }

  /// Also of keys that only a list's object has.
  @Test func everyMisspelledKeyHasTheRightOne() throws {
    let base = try JSONTree(parsing: Array(Self.base.utf8).span)
    for setting in ConfigurationFile.settings where setting.name.utf8.count > 3 {
      let (first, rest) = (setting.name.first.map(String.init) ?? "", setting.name.dropFirst())
      let slip = setting.key.dropLast(setting.name.count) + first + "_" + rest
      let error = #expect(throws: Problem.self) {
        try ConfigurationFile.configuration(base.with(.boolean(true), at: String(slip)))
      }
      let problem = error?.sentence ?? ""
      let cure = "unknown key; did you mean \(setting.name)? the keys here are "
      #expect(problem.hasPrefix(cure), "\(slip): \(problem)")
    }
  }

  @Test func everyRequiredSettingIsMissedByName() throws {
    let base = try JSONTree(parsing: Array(Self.base.utf8).span)
    for setting in ConfigurationFile.settings where setting.isRequired {
      let error = #expect(throws: Problem.self, "\(setting.key)") {
        try ConfigurationFile.configuration(base.with(nil, at: setting.key))
      }
      #expect(error?.code == setting.key.replacing("[]", with: "[0]"))
      let cure = "add it like this: \"\(setting.name)\": \(setting.kind.example) (\(setting.sentence))"
      #expect(error?.sentence.hasSuffix(cure) == true, "\(error?.sentence ?? "-")")
    }
  }

  /// Also where the setting comes or goes, with what it is in.
  @Test func changeNeedsARestartWhereTheDeclarationSaysSo() throws {
    for setting in Self.leaves {
      let base = try Self.base(for: setting.key)
      let running = try ConfigurationFile.configuration(base)
      let changed = try ConfigurationFile.configuration(base.with(try Self.other(setting), at: setting.key))
      let blamed = changed.sectionThatNeedsRestart(comparedWith: running)
      #expect((blamed != nil) == setting.needsRestart, "\(setting.key): \(blamed ?? "-")")
      if let blamed { #expect(setting.key.hasPrefix(blamed)) }
    }
    for setting in ConfigurationFile.settings where !setting.isRequired && !setting.key.contains("[]") {
      let base = try Self.base(for: setting.key)
      let running = try ConfigurationFile.configuration(base)
      guard let without = try? ConfigurationFile.configuration(base.with(nil, at: setting.key)) else { continue }
      let belowIt = ConfigurationFile.settings.filter { $0.key.hasPrefix(setting.key) && $0.needsRestart }
      #expect((without.sectionThatNeedsRestart(comparedWith: running) != nil) == !belowIt.isEmpty, "\(setting.key)")
    }
  }

  /// A value that the base does not have.
  static func other(_ setting: SettingDescription) throws -> JSONTree.Value {
    switch setting.kind {
    case .boolean: .boolean(setting.key.contains("routes") || setting.key == "auth.observe")
    case .number(let range, _): .integer(range.upperBound)
    case .words(let words): .string(try #require(words.first { !base.contains("\"\($0)\"") }))
    case .text: .string(try #require(others[setting.key]))
    case .account: .integer(2)
    case .list(.words(let words), _): .array([JSONTree(value: .string(try #require(words.last)))])
    case .list(.text, _): .array([JSONTree(value: .string(try #require(others[setting.key])))])
    case .list(.account, _): .array([JSONTree(value: .integer(2))])
    case .list, .section, .either: throw CancellationError()
    }
  }
}

extension FormKind {
  fileprivate var holdsText: Bool {
    switch self {
    case .text: true
    case .list(let element, _): element.holdsText
    default: false
    }
  }

  fileprivate var isEither: Bool { if case .either = self { true } else { false } }

  /// Values of another type, and numbers and texts just outside.
  fileprivate var wrongValues: [JSONTree.Value] {
    switch self {
    case .number(let range, _):
      [.null, .real, .string("1"), .integer(range.lowerBound - 1), .integer(range.upperBound + 1)]
    case .words: [.null, .string(""), .string("no such word")]
    case .text: [.null, .integer(1), .string("")]
    case .boolean, .account, .list, .section, .either: [.null, .real, .string("")]
    }
  }
}

extension JSONTree.Value {
  /// Whether no value of this type is one of the kind.
  fileprivate func isOfOtherType(than kind: FormKind) -> Bool {
    switch (self, kind) {
    case (.boolean, .boolean), (.integer, .number), (.integer, .account), (.array, .list), (.object, .section),
      (.object, .either):
      false
    case (.string, .words), (.string, .text), (.string, .account), (.string, .either): false
    default: true
    }
  }
}

extension JSONTree {
  /// The same with a value at a key, or without the key; of a list the first element is meant.
  fileprivate func with(_ new: Value?, at key: String) -> JSONTree {
    with(new, at: key.split(separator: ".").map { String($0) }[...])
  }

  private func with(_ new: Value?, at names: ArraySlice<String>) -> JSONTree {
    guard case .object(var members) = value, let first = names.first else { return self }
    let (name, isList) = (first.replacing("[]", with: ""), first.hasSuffix("[]"))
    let index = members.firstIndex { $0.name == name } ?? members.endIndex
    let old = index < members.endIndex ? members.remove(at: index).value : JSONTree(value: .object([]))
    let rest = names.dropFirst()
    let changed: JSONTree?
    if rest.isEmpty {
      changed = new.map { JSONTree(value: $0) }
    } else if isList, case .array(let elements) = old.value, let element = elements.first {
      changed = JSONTree(value: .array([element.with(new, at: rest)] + elements.dropFirst()))
    } else {
      changed = old.with(new, at: rest)
    }
    if let changed { members.insert(Member(name: name, value: changed), at: index) }
    return JSONTree(value: .object(members))
  }
}
