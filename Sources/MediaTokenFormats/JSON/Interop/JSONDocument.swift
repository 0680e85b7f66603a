internal import CLibJansson

/// Owner of a JSON value that jansson parsed. jansson gives UTF-8 and no NUL.
@safe struct JSONDocument: ~Copyable {
  // SAFETY: made in init with one reference, which deinit gives back; nothing changes the value.
  private let root: UnsafeMutablePointer<json_t>

  /// jansson's own messages quote the text, so they are not passed on.
  init(parsing text: Span<UInt8>) throws(JSONError) {
    // RFC 8259 section 8.1 lets a reader ignore one; then two programs would read two things. jansson's words for it are
    // those for any other stray byte.
    if text.beginsWithByteOrderMark { throw JSONError(.byteOrderMark, line: 1, column: 1) }
    var error = json_error_t()
    let failures = JSONAllocations.failures
    // SAFETY: the span outlives the call, which only reads it; jansson fills in `error` if it returns nil.
    let parsed = unsafe text.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
        unsafe json_loadb(bytes.baseAddress, bytes.count, Int(JSON_REJECT_DUPLICATES), &error)
      }
    }
    guard JSONAllocations.failures == failures else {
      unsafe json_decref(parsed)
      throw JSONError(.outOfMemory, line: 1, column: 1)
    }
    guard let parsed = unsafe parsed else {
      let code = unsafe json_error_code(&error)
      let place = (line: Int(error.line), column: Int(error.column), end: Int(error.position))
      throw JSONError(
        problem(code, in: text, before: place.end), line: max(1, place.line), column: max(1, place.column),
        offset: place.end)
    }
    unsafe root = parsed
  }

  deinit { unsafe json_decref(root) }

  var isObject: Bool { unsafe root.pointee.type == JSON_OBJECT }

  /// The kind of a member's value, as far as a flat object can hold it.
  enum MemberType { case string, integer, other }

  func forEachMember(_ body: (_ name: String, _ kind: MemberType) -> Void) {
    // SAFETY: the iterator walks `root`, which does not change; the names live as long as it.
    var iterator = unsafe json_object_iter(root)
    while let current = unsafe iterator {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: json_object_iter_key(current), count: json_object_iter_key_len(current))
      let kind: MemberType =
        switch unsafe json_object_iter_value(current)?.pointee.type {
        case JSON_STRING: .string
        case JSON_INTEGER: .integer
        default: .other
        }
      unsafe body(String(decoding: bytes, as: UTF8.self), kind)
      unsafe iterator = json_object_iter_next(root, current)
    }
  }

  func has(_ name: String) -> Bool { unsafe json_object_get(root, name) != nil }

  /// Nil unless the member is a string.
  subscript(textOf name: String) -> Span<UInt8>? {
    guard let value = unsafe json_object_get(root, name), let start = unsafe json_string_value(value) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
    // SAFETY: the text belongs to `root`, which lives as long as this value.
    return unsafe Span(bytes, of: self)
  }

  /// Nil unless the member is an integer.
  func integer(_ name: String) -> Int64? {
    guard let value = unsafe json_object_get(root, name), unsafe value.pointee.type == JSON_INTEGER else {
      return nil
    }
    return unsafe Int64(json_integer_value(value))
  }

  /// A copy.
  func string(_ name: String) -> String? {
    guard let value = unsafe json_object_get(root, name), let start = unsafe json_string_value(value) else {
      return nil
    }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONDocument {
  /// The whole tree as values of Swift.
  var tree: JSONTree { unsafe JSONTree(value: Self.value(root)) }

  // SAFETY: `json` belongs to the root, which lives as long as the document and does not change.
  private static func value(_ json: UnsafeMutablePointer<json_t>) -> JSONTree.Value {
    switch unsafe json.pointee.type {
    case JSON_OBJECT: return unsafe .object(members(json))
    case JSON_ARRAY:
      return .array(
        unsafe (0..<json_array_size(json)).compactMap { index in
          unsafe json_array_get(json, index).map { unsafe JSONTree(value: value($0)) }
        })
    case JSON_STRING:
      guard let start = unsafe json_string_value(json) else { return .null }
      let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(json))
      return unsafe .string(String(decoding: bytes, as: UTF8.self))
    case JSON_INTEGER: return unsafe .integer(Int64(json_integer_value(json)))
    case JSON_REAL: return .real
    case JSON_TRUE: return .boolean(true)
    case JSON_FALSE: return .boolean(false)
    default: return .null
    }
  }

  private static func members(_ json: UnsafeMutablePointer<json_t>) -> [JSONTree.Member] {
    var members: [JSONTree.Member] = []
    // SAFETY: as above; the iterator gives members in the order in which they were parsed.
    var iterator = unsafe json_object_iter(json)
    while let current = unsafe iterator {
      let bytes = unsafe UnsafeRawBufferPointer(
        start: json_object_iter_key(current), count: json_object_iter_key_len(current))
      if let member = unsafe json_object_iter_value(current) {
        let value = unsafe JSONTree(value: value(member))
        unsafe members.append(JSONTree.Member(name: String(decoding: bytes, as: UTF8.self), value: value))
      }
      unsafe iterator = json_object_iter_next(json, current)
    }
    return members
  }
}

private func problem(_ code: json_error_code, in text: Span<UInt8>, before end: Int) -> JSONError.Flaw {
  let last = end >= 1 && end <= text.count ? text[end - 1] : 0
  return switch code {
  case json_error_invalid_syntax, json_error_end_of_input_expected:
    // No text outside of strings has these, so the meaning is clear.
    last == UInt8(ascii: "/") || last == UInt8(ascii: "#")
      ? .comment : code == json_error_invalid_syntax ? .syntax : .trailingText
  case json_error_out_of_memory: .outOfMemory
  case json_error_stack_overflow: .tooDeep
  case json_error_invalid_utf8: .notUTF8
  case json_error_premature_end_of_input: .truncated
  case json_error_null_character, json_error_null_byte_in_key: .nulCharacter
  case json_error_numeric_overflow: .number
  case json_error_duplicate_key: .repeated(MemberName(name(in: text, endingAt: end)))
  default: .syntax
  }
}

/// The quoted name that ends just before `end`, where jansson stopped; nil if the name has escapes.
private func name(in text: Span<UInt8>, endingAt end: Int) -> String? {
  let quote = UInt8(ascii: "\"")
  guard end >= 2, end <= text.count, text[end - 1] == quote else { return nil }
  var start = end - 1
  while start > 0, text[start - 1] != quote {
    if text[start - 1] == UInt8(ascii: "\\") { return nil }
    start -= 1
  }
  guard start > 0 else { return nil }
  var name = ""
  for index in start..<end - 1 { name.unicodeScalars.append(Unicode.Scalar(text[index])) }
  return name
}
