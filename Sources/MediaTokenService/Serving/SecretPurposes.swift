internal import MediaToken
internal import MediaTokenHandover
internal import MediaTokenSystem

/// No secret has two purposes: a verifier that may check what one of them makes could make the other. The
/// configuration's rules compare paths. Here the files' contents are compared: a copy under another name, or a link, is
/// the same key.
enum SecretPurposes {
  /// `file`: the configuration's, for errors. A key that has another purpose already, or can't be read any more, is an
  /// error.
  static func check(_ configuration: Configuration, file: String?) throws(Problem) {
    let secrets = configuration.secrets
    // Of one secret nothing is to be compared.
    guard secrets.count > 1 else { return }
    let marks = try rethrow(SecretMarks()) { (error: Problem) in
      error.of(setting: secrets[0].key, in: file)
    }
    var known: [[UInt8]: (key: String, purpose: String)] = [:]
    for secret in secrets {
      let mark = try rethrow(marks.mark(of: secret.path)) { (error: Problem) in
        error.of(setting: secret.key, in: file)
      }
      if let other = known[mark], other.purpose != secret.purpose {
        throw Problem.setting(
          secret.key, of: file, "\(other.key) has the same key for another purpose", cure: "make one for each")
      }
      known[mark] = (secret.key, secret.purpose)
    }
  }
}

extension Configuration {
  /// The files of keys that sign or encrypt, with their settings and purposes.
  fileprivate var secrets: [(key: String, path: String, purpose: String)] {
    let ofTags = viewerTag.map { [(key: "viewerTag.key", path: $0.key, purpose: "viewerTag.key")] } ?? []
    return ofTags + handovers.map { ("\($0.key).key", $0.settings.keyFile, $0.settings.format.rawValue) }
  }
}
