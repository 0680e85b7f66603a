@testable import MediaToken
@testable import MediaTokenFormats

/// Any bytes as what a client sent: looking for a token inside ends after some layers, what it finds is a token by its form, and a token as it
/// is has no layers. Undoing known changes makes no text much longer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCauses(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let found = Unwrapping(bytes.span)
  guard found.layers.count <= Unwrapping.mostLayers else { fatalError("there are too many layers") }
  if let inside = found.inside {
    guard !found.layers.isEmpty, isToken(inside) else { fatalError("what is inside is no token") }
    guard Unwrapping(inside.span).layers.isEmpty else { fatalError("the token inside has layers") }
    guard inside.count <= 4 * bytes.count else { fatalError("what is inside is longer than what is around it") }
  }
  for change in Cause.changes {
    for text in change.undone(bytes) where text.count > 5 * bytes.count + 8 {
      fatalError("\(change.sentence): it grew to \(text.count) bytes")
    }
  }
  let texts = (
    String(decoding: bytes.prefix(count / 2), as: UTF8.self),
    String(decoding: bytes.suffix(count / 2), as: UTF8.self)
  )
  if let difference = TextDifference(expected: texts.0, found: texts.1), difference.sentence.isEmpty {
    fatalError("a difference says nothing")
  }
  return 0
}

private func isToken(_ text: [UInt8]) -> Bool {
  var buffers = Armor.Buffers()
  do throws(Refusal) {
    _ = try Armor.decode(text.span, into: &buffers)
    return true
  } catch {
    return false
  }
}
