internal import CLibMicroHTTPD
internal import Glibc

/// The bytes of a C string, without the NUL byte at its end.
///
/// SAFETY: lives as long as the string does; callers use it inside the call that brought the string.
@_lifetime(borrow text)
func bytes(_ text: UnsafePointer<CChar>) -> Span<UInt8> {
  let span = unsafe Span(_unsafeStart: text.asBytes, count: strlen(text))
  return unsafe _overrideLifetime(span, borrowing: text)
}

/// Goes through a head and accounts for each of its bytes.
///
/// The library takes a bare LF for the end of a line, ends a value at a NUL byte, glues folded lines and skips spaces,
/// and says nothing about it. But its strings are views of the received bytes: so each line must begin two bytes, CR and
/// LF, behind the end of the one before, and the last one must end where the head does. What does not fit was rewritten,
/// and is refused.
@safe private struct HeadWalk: ~Copyable {
  var check = HeadCheck()
  var fields: HTTPFields
  /// Where the next line must begin.
  var next: UnsafeRawPointer
  var fitsTogether = true
}

/// Copies method and fields into the request and checks them.
///
/// SAFETY: the library's strings live until the handler returns. Pointers are compared, never followed outside them.
func readHead(
  _ connection: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>,
  into exchange: Exchange
) -> HeadCheck {
  let methodBytes = unsafe bytes(method)
  exchange.request.method.append(copying: methodBytes)
  // `HTTP/1.1` has eight bytes.
  var walk = unsafe HeadWalk(fields: HTTPFields(), next: UnsafeRawPointer(version) + 8 + 2)
  swap(&walk.fields, &exchange.request.fields)
  walk.check.take(method: methodBytes, target: exchange.request.target.span)
  let targetEnd = unsafe UnsafeRawPointer(method) + methodBytes.count + 1 + exchange.request.target.count
  unsafe walk.fitsTogether = targetEnd + 1 == UnsafeRawPointer(version)
  unsafe withUnsafeMutablePointer(to: &walk) {
    _ = unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, takeField, $0)
  }
  let end = unsafe UnsafeRawPointer(method) + mediatoken_head_bytes(connection)
  if unsafe !walk.fitsTogether || walk.next + 2 != end {
    walk.check.refuse("expected lines that end with CR LF, none of them folded, and no NUL byte")
  }
  walk.check.end(isVersion10: unsafe version[7] == CChar(UInt8(ascii: "0")))
  swap(&walk.fields, &exchange.request.fields)
  return walk.check
}

private func takeField(
  _ context: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ nameBytes: Int,
  _ value: UnsafePointer<CChar>?, _ valueBytes: Int
) -> MHD_Result {
  guard let walk = unsafe context?.assumingMemoryBound(to: HeadWalk.self), let name = unsafe name,
    let value = unsafe value
  else { return MHD_Result.NO }
  let (nameStart, valueStart) = unsafe (UnsafeRawPointer(name), UnsafeRawPointer(value))
  // Between a name and its value are a colon and white space, and nothing else: that is all the library skips.
  if unsafe nameStart != walk.pointee.next || valueStart < nameStart + nameBytes + 1 {
    unsafe walk.pointee.fitsTogether = false
  }
  unsafe walk.pointee.next = valueStart + valueBytes + 2
  let nameSpan = unsafe Span(_unsafeStart: name.asBytes, count: nameBytes)
  let valueSpan = unsafe Span(_unsafeStart: value.asBytes, count: valueBytes)
  // RFC 9110 section 5.5: white space around a value is no part of it. The library leaves that behind it in place.
  var end = valueSpan.count
  while end > 0, valueSpan[end - 1] == UInt8(ascii: " ") || valueSpan[end - 1] == UInt8(ascii: "\t") { end -= 1 }
  let trimmed = valueSpan.extracting(..<end)
  unsafe walk.pointee.check.take(name: nameSpan, value: trimmed)
  unsafe walk.pointee.fields.append(name: nameSpan, value: trimmed)
  return MHD_Result.YES
}
