internal import CLibMicroHTTPD
internal import Glibc

/// Gives the exchange's answer to the library.
///
/// An answer that lacks a field is another answer: if one cannot be written, 503 goes out instead.
func queue(_ exchange: Exchange, _ connection: OpaquePointer) -> MHD_Result {
  var response = unsafe makeResponse(exchange)
  if unsafe response == nil {
    exchange.response.removeAll()
    exchange.response.body.append(
      "{\"error\":\"unavailable\",\"detail\":\"expected to write the answer, could not\"}\n")
    exchange.response.closesConnection = true
    unsafe response = makeResponse(exchange)
  }
  guard let response = unsafe response else { return MHD_Result.NO }
  // SAFETY: the library counts references; it keeps one of its own until the answer is sent.
  defer { unsafe MHD_destroy_response(response) }
  return unsafe MHD_queue_response(connection, UInt32(exchange.response.status), response)
}

/// - Returns: nil if the library refuses a field, or has no memory.
private func makeResponse(_ exchange: Exchange) -> OpaquePointer? {
  exchange.outgoing.hold(exchange.response.body.span)
  // SAFETY: the bytes stay where they are until the exchange is reset, which is after the answer was sent.
  guard
    let response = unsafe MHD_create_response_from_buffer(
      exchange.outgoing.count, exchange.outgoing.address, .RESPMEM_PERSISTENT)
  else { return nil }
  guard unsafe addFields(of: exchange.response, to: response, by: exchange.fieldText) else {
    unsafe MHD_destroy_response(response)
    return nil
  }
  return unsafe response
}

private func addFields(
  of answer: borrowing HTTPResponse, to response: OpaquePointer, by text: OutgoingBytes
) -> Bool {
  // SAFETY: a StaticString ends with a NUL byte (its documentation); the library copies what it is given.
  func add(_ name: StaticString, _ value: UnsafePointer<CChar>) -> Bool {
    unsafe MHD_add_response_header(response, name.asCString, value) == MHD_Result.YES
  }
  if !answer.body.isEmpty {
    guard unsafe add("Content-Type", answer.contentType.name.asCString) else { return false }
  }
  if answer.closesConnection {
    guard unsafe add("Connection", ("close" as StaticString).asCString) else { return false }
  }
  for field in answer.fields {
    // The library would end the value at a NUL byte, and refuses CR, LF and nothing.
    guard !field.value.contains(0) else { return false }
    text.holdText(field.value.span)
    guard let value = unsafe text.address else { return false }
    guard unsafe add(field.name, value.assumingMemoryBound(to: CChar.self)) else { return false }
  }
  return true
}

extension HTTPResponse.ContentType {
  /// Its name, ready for C.
  fileprivate var name: StaticString {
    switch self {
    case .json: "application/json"
    case .ndjson: "application/x-ndjson"
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    case .text: "text/plain; charset=utf-8"
    }
  }
}

extension StaticString {
  fileprivate var asCString: UnsafePointer<CChar> {
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
