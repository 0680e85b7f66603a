internal import MediaToken
internal import MediaTokenSystem

/// The bytes that a token's signature covers: the root element in production's form, on one line and without
/// white space between elements.
struct SignedBytes: Redacted {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ token: DevelopmentToken) throws(Problem) {
    let root = token.root.utf8
    guard root.first?.isNameStart == true, root.allSatisfy(\.isNameByte) else {
      throw Problem("the root name is not ASCII letters, digits, _ . and -, beginning with a letter or _")
    }
    guard token.ttlMilliseconds >= 0 else {
      throw Problem("expected a life of 0 milliseconds or more, found \(token.ttlMilliseconds)")
    }
    bytes.removeAll(keepingCapacity: true)
    tag(token.root)
    try element(.sessionGUID, token.sessionGUID)
    try element(.requestorID, token.requestorID)
    try element(.resourceID, token.resourceID, token.resourceForm)
    try element(.ttl, String(token.ttlMilliseconds))
    try element(.issueTime, token.issueTimeText())
    try element(.mvpdID, token.mvpdID)
    if let proxy = token.proxyMVPDID { try element(.proxyMVPDID, proxy) }
    tag("/" + token.root)
  }

  private mutating func tag(_ name: String) {
    bytes.append(UInt8(ascii: "<"))
    bytes.append(contentsOf: name.utf8)
    bytes.append(UInt8(ascii: ">"))
  }

  private mutating func element(
    _ field: TokenField, _ text: String, _ form: DevelopmentToken.ResourceForm = .text
  ) throws(Problem) {
    tag(field.rawValue)
    switch form {
    case .text: try escaped(text, in: field)
    case .cdata: try cdata(text, in: field)
    }
    tag("/" + field.rawValue)
  }

  private mutating func escaped(_ text: String, in field: TokenField) throws(Problem) {
    for scalar in text.unicodeScalars {
      switch scalar {
      case "<": bytes.append(contentsOf: "&lt;".utf8)
      case ">": bytes.append(contentsOf: "&gt;".utf8)
      case "&": bytes.append(contentsOf: "&amp;".utf8)
      // A parser would turn a raw one into a line feed.
      case "\r": bytes.append(contentsOf: "&#13;".utf8)
      default: try plain(scalar, in: field)
      }
    }
  }

  /// CDATA. Production splits an inner `]]>` so: the section closes, a raw `>` follows, another section opens.
  private mutating func cdata(_ text: String, in field: TokenField) throws(Problem) {
    bytes.append(contentsOf: "<![CDATA[".utf8)
    var brackets = 0
    for scalar in text.unicodeScalars {
      if scalar == "\r" { throw Self.character(in: field) }
      if scalar == ">", brackets >= 2 {
        bytes.append(contentsOf: "]]>><![CDATA[".utf8)
      } else {
        try plain(scalar, in: field)
      }
      brackets = scalar == "]" ? brackets + 1 : 0
    }
    bytes.append(contentsOf: "]]>".utf8)
  }

  private static func character(in field: TokenField) -> Problem {
    Problem(
      "\(field.rawValue) holds a character that XML can't carry"
        + (field == .resourceID ? " (in CDATA a carriage return is one, too)" : ""))
  }

  private mutating func plain(_ scalar: Unicode.Scalar, in field: TokenField) throws(Problem) {
    let isControl = scalar.value < 0x20 && scalar != "\t" && scalar != "\n"
    guard !isControl, scalar.value != 0xFFFE, scalar.value != 0xFFFF else { throw Self.character(in: field) }
    bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}

extension DevelopmentToken {
  /// The issue time as production writes it: `yyyy-MM-dd HH:mm:ss ±HHMM`.
  func issueTimeText() throws(Problem) -> String {
    guard utcOffsetMinutes.magnitude <= 14 * 60 else {
      throw Problem("expected an offset of at most 14 hours from UTC, found \(utcOffsetMinutes) minutes")
    }
    let (local, overflow) = issueTime.millisecondsSinceEpoch
      .addingReportingOverflow(Int64(utcOffsetMinutes) * 60_000)
    // The wall clock of the zone, written as if it were UTC: yyyy-MM-ddTHH:mm:ss.SSSZ.
    let wallClock = Instant(millisecondsSinceEpoch: local).description
    guard !overflow, local >= 0, wallClock.utf8.count == 24 else {
      throw Problem("the issue time is not in the years 1970 to 9999")
    }
    let offset = Self.offsetText(minutes: utcOffsetMinutes)
    return "\(wallClock.prefix(10)) \(wallClock.dropFirst(11).prefix(8)) \(offset)"
  }

  /// An offset of less than 100 hours from UTC as production writes it: `±HHMM`.
  package static func offsetText(minutes: Int) -> String {
    let (sign, minutes) = (minutes < 0 ? "-" : "+", Int(minutes.magnitude))
    return sign + [minutes / 600, minutes / 60 % 10, minutes % 60 / 10, minutes % 10].map(String.init).joined()
  }
}
