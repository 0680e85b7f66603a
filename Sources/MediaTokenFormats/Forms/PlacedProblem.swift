package import MediaToken
internal import MediaTokenSystem

/// Problems of the configuration: the subject is the file and the setting, and the code is the setting.
extension Problem {
  /// A setting with the keys around it, for example `tenants[0].requestor`; empty for the whole.
  package static func setting(_ key: String, of file: String? = nil, _ fact: String, cure: String? = nil) -> Problem
  {
    Problem(fact, cure: cure).of(setting: key, in: file)
  }

  /// The same as a setting's.
  package func of(setting key: String, in file: String? = nil) -> Problem {
    let inner = key.isEmpty ? self : about(key)
    return Problem(inner.subject, inner.fact, cure: inner.cure, code: key.isEmpty ? nil : key).inFile(file)
  }

  /// The same with the configuration's file, if there is one.
  package func inFile(_ path: String?) -> Problem {
    guard let path else { return self }
    let shown = DisplayText.escaped(path)
    return Problem(subject.isEmpty ? shown : "\(shown): \(subject)", fact, cure: cure, code: code)
  }
}

/// Problems of a command line.
extension Problem {
  /// The code of a command line that is not understood.
  package static let usage = "usage"

  /// `invocation` is whose `--help` says more.
  package static func usage(_ message: String, see invocation: String) -> Problem {
    Problem("\(message)\n  see: \(invocation) --help", code: usage)
  }
}
