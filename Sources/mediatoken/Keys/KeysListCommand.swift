internal import MediaToken
internal import MediaTokenCommandLine
internal import MediaTokenFormats
internal import MediaTokenSystem

extension Command {
  static let keysList = Command(
    words: ["keys", "list"],
    summary: "List keys, including those that need consent.",
    options: [TrustOptions.keys, TrustOptions.allowWeak, OutputOptions.json],
    notes: [
      .exitStatus("0 if all would be trusted, 3 if one lacks consent or cannot be used."),
      .example("mediatoken keys list --keys adobe.pem"),
    ],
    run: KeysListCommand.run)
}

enum KeysListCommand {
  static func run(_ arguments: Arguments) throws(Problem) -> Int32 {
    let paths = try TrustOptions.paths(arguments)
    let consent = try TrustOptions.consent(arguments)
    let candidates = try Problem.about("no usable keys", TrustedKeys.candidates(readingFiles: paths))
    let listed = candidates.map { ListedKey($0, objection: consent.objection(to: $0)) }
    try StandardOutput.write(arguments.has(OutputOptions.json) ? json(listed) : text(listed))
    let missing = listed.filter { !$0.isTrusted }.count
    if let mistaken = listed.lazy.compactMap(\.mistakenConsent).first ?? (missing > 0 ? nil : consent.objection) {
      throw mistaken
    }
    guard missing > 0 else { return ExitStatus.done }
    throw Problem(
      "consent is missing for \(missing) of \(listed.count) keys", cure: "add the option that is shown with the key"
    )
  }

  private static func text(_ keys: [ListedKey]) -> String {
    keys.map { key in key.lines.map { "\($0.name): \($0.value)\n" }.joined() }.joined(separator: "\n")
  }

  private static func json(_ keys: [ListedKey]) -> String {
    OutputOptions.line { $0.member("keys", objects: keys) { $0.write(to: &$1) } }
  }
}

private struct ListedKey {
  private let key: KeyCandidate
  private let objection: Problem?
  private let warnings: [String]

  init(_ key: KeyCandidate, objection: Problem?) {
    self.key = key
    self.objection = objection
    let isTrusted = objection == nil
    warnings = key.warnings(at: .now, isAllowed: isTrusted).map(\.description)
  }

  var isTrusted: Bool { objection == nil }

  /// Nil unless the consent is to the key's certificate.
  var mistakenConsent: Problem? {
    objection?.code == Problem.consentToCertificate ? objection : nil
  }

  /// Origin, names and warnings are escaped already.
  var lines: [(name: String, value: String)] {
    var lines = [("fingerprint", key.fingerprint.description), ("bits", String(key.modulusBits))]
    lines.append(("origin", key.origin.description))
    if let certificate = key.certificate {
      lines.append(("subject", certificate.subject))
      lines.append(("issuer", certificate.issuer))
      lines.append(("notBefore", certificate.notBefore?.description ?? "unreadable"))
      lines.append(("notAfter", certificate.notAfter?.description ?? "unreadable"))
      lines.append(("the certificate's SHA-256", Self.spaced(certificate.sha256.description)))
      lines.append(("the certificate's SHA-1", Self.spaced(certificate.sha1)))
    }
    lines.append(("trusted", isTrusted ? "yes" : "no"))
    if !isTrusted { lines.append(("to trust it, add", WeakKeyConsent.option(key.fingerprint))) }
    return lines + warnings.map { ("warning", $0) }
  }

  /// Digits as keytool and openssl write them, to compare by eye.
  private static func spaced(_ digits: String) -> String {
    let capitals = Array(digits.uppercased())
    return stride(from: 0, to: capitals.count, by: 2).map { String(capitals[$0...$0 + 1]) }.joined(separator: ":")
  }

  func write(to object: inout JSONWriter) {
    object.member("fingerprint", key.fingerprint.description)
    object.member("bits", Int64(key.modulusBits))
    object.member("origin", key.origin.description)
    if let certificate = key.certificate {
      object.member("subject", certificate.subject)
      object.member("issuer", certificate.issuer)
      if let start = certificate.notBefore { object.member("notBefore", start.description) }
      if let end = certificate.notAfter { object.member("notAfter", end.description) }
      object.member("certificateSHA256", certificate.sha256.description)
      object.member("certificateSHA1", certificate.sha1)
    }
    object.member("trusted", isTrusted)
    if !isTrusted { object.member("option", WeakKeyConsent.option(key.fingerprint)) }
    object.member("warnings", warnings)
  }
}
