@testable import MediaToken

/// Key files of any content: an error never quotes the file, and what is accepted stays within the limits and is read
/// the same again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeys(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let file = KeyFile(name: "file", bytes: Array(UnsafeBufferPointer(start: start, count: count)))
  for password in [nil, "changeit"] {
    do throws(Problem) {
      let candidates = try TrustedKeys.candidates(parsing: [file], keystorePassword: password)
      let again = try TrustedKeys.candidates(parsing: [file], keystorePassword: password)
      guard !candidates.isEmpty, candidates.count <= Limits.trustedKeys else {
        fatalError("\(candidates.count) keys")
      }
      guard candidates.map(\.fingerprint) == again.map(\.fingerprint) else { fatalError("read otherwise again") }
      guard Set(candidates.map(\.fingerprint)).count == candidates.count else { fatalError("one key twice") }
      for candidate in candidates {
        guard (Limits.consentedModulusBits...Limits.largestModulusBits).contains(candidate.modulusBits) else {
          fatalError("a key of \(candidate.modulusBits) bits")
        }
      }
      checkConsent(file, password)
    } catch {
      // A message that stays when those bytes change was not made of them: the search writes the messages' own words.
      if let others = quotes(file.bytes, in: error) {
        let changed = KeyFile(name: file.name, bytes: others)
        guard message(of: changed, password) == error.sentence else { fatalError("the error quotes the file") }
      }
    }
  }
  return 0
}

/// Without consent no weak key is trusted.
private func checkConsent(_ file: KeyFile, _ password: String?) {
  do throws(Problem) {
    let trusted = try TrustedKeys(parsing: [file], consent: .none, keystorePassword: password)
    guard trusted.keys.allSatisfy({ $0.modulusBits >= Limits.ordinaryModulusBits }) else {
      fatalError("a weak key is trusted without consent")
    }
  } catch {
    // It named the option to paste; nothing else is claimed.
  }
}

/// What is wrong with a file.
private func message(of file: KeyFile, _ password: String?) -> String? {
  do throws(Problem) {
    _ = try TrustedKeys.candidates(parsing: [file], keystorePassword: password)
    return nil
  } catch { return error.sentence }
}

/// The file with other bytes wherever the message has 24 bytes in a row from it; nil if it has nowhere. Shorter runs
/// are words of PEM that messages have as well; a block's label and an entry's alias are told on purpose, and neither
/// can hold a key.
private func quotes(_ file: [UInt8], in error: Problem) -> [UInt8]? {
  let labelled = "expected a PEM block PUBLIC KEY or CERTIFICATE, found "
  if error.fact.hasPrefix(labelled) {
    let label = error.fact.dropFirst(labelled.count)
    guard label.utf8.count <= 64, label.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { fatalError("label") }
    return nil
  }
  let (length, ours) = (24, Array(error.sentence.utf8))
  // The line that a message shows as an example, and a good file has.
  let example = Array("-----BEGIN PUBLIC KEY-----".utf8)
  let message = Array(ours.split(separator: example, omittingEmptySubsequences: false).joined(separator: [0]))
  guard file.count >= length, message.count >= length else { return nil }
  let windows = Set((0...(message.count - length)).map { message[$0..<$0 + length] })
  let quoted = (0...(file.count - length)).filter { windows.contains(file[$0..<$0 + length]) }
  guard !quoted.isEmpty else { return nil }
  var changed = file
  for place in Set(quoted.flatMap { $0..<$0 + length }) { changed[place] ^= 1 }
  return changed
}
