/// Looks at a request's fields one after another, and says whether the head can be read in one way only.
///
/// RFC 9112 section 6 lets two readers of one head disagree about where its body ends. Each field that could make them
/// disagree is refused here, whatever the library made of it, and the connection ends with the answer.
struct HeadCheck {
  /// The first thing that is wrong.
  private(set) var problem: StaticString?
  private var length: Int?
  private var hasHost = false

  /// Notes something that is wrong; the first one is told.
  mutating func refuse(_ what: StaticString) {
    if problem == nil { problem = what }
  }

  /// Looks at the request line.
  mutating func take(method: Span<UInt8>, target: Span<UInt8>) {
    if !method.isToken { refuse("expected a method made of letters") }
    // Proxies percent-encode what is not ASCII; raw it is read differently by everybody.
    for index in target.indices where target[index] <= 0x20 || target[index] >= 0x7F {
      return refuse("expected a request target of visible ASCII characters")
    }
    if target.isEmpty { refuse("expected a request target") }
  }

  /// Looks at one field, its value without white space around it.
  mutating func take(name: Span<UInt8>, value: Span<UInt8>) {
    guard name.isToken else { return refuse("expected a field name of the characters that RFC 9110 allows") }
    guard value.isFieldValue else { return refuse("expected a field value without control characters") }
    switch name.count {
    case 4 where name.isSameName(as: "host"):
      if hasHost { refuse("expected one Host field") }
      hasHost = true
    case 14 where name.isSameName(as: "content-length"):
      if length != nil { return refuse("expected one Content-Length field") }
      guard let number = value.decimal else { return refuse("expected a Content-Length of digits") }
      length = number
    case 17 where name.isSameName(as: "transfer-encoding"):
      refuse("expected no Transfer-Encoding; send a Content-Length")
    default: break
    }
  }

  /// Looks at what only the end of the head shows.
  ///
  /// - Parameter isVersion10: HTTP/1.0 knows no `Host` (RFC 9112 section 3.2 asks for one since).
  mutating func end(isVersion10: Bool) {
    if !hasHost, !isVersion10 { refuse("expected a Host field") }
  }

  /// How long the body is; nil if the head did not say so.
  var bodyLength: Int? { length }
}

extension Span<UInt8> {
  /// Whether these bytes are a token (RFC 9110 section 5.6.2).
  fileprivate var isToken: Bool {
    for index in indices where !self[index].isTokenByte { return false }
    return !isEmpty
  }

  /// Whether these bytes may be a field's value (RFC 9110 section 5.5): visible ones, space, tab, and anything that is not
  /// ASCII.
  fileprivate var isFieldValue: Bool {
    for index in indices where self[index] < 0x20 && self[index] != 0x09 || self[index] == 0x7F { return false }
    return true
  }

  /// The number that these digits are; nil for anything that somebody could read as another one.
  fileprivate var decimal: Int? {
    guard (1...HTTPLimits.lengthDigits).contains(count), count == 1 || self[0] != UInt8(ascii: "0") else {
      return nil
    }
    var number = 0
    for index in indices {
      let digit = self[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
    }
    return number
  }
}

extension UInt8 {
  /// Letters, digits and ``!#$%&'*+-.^_`|~``.
  @inline(__always)
  fileprivate var isTokenByte: Bool {
    // One bit for each byte from 0 to 127.
    let low: UInt64 = 0x03FF_6CFA_0000_0000
    let high: UInt64 = 0x57FF_FFFF_C7FF_FFFE
    return self < 0x80 && (self < 0x40 ? low : high) >> UInt64(self & 0x3F) & 1 == 1
  }
}
