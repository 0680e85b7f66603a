internal import MediaToken
internal import MediaTokenSystem

/// Why the daemon does not start, or keeps its configuration: names the file, the line and the key.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The configuration's file; nil: there is no file.
  package let file: String?
  /// The line, from 1; nil if the problem has no single place.
  package let line: Int?
  /// The key with the keys around it, for example `tenants[0].requestor`; empty for the whole.
  package let key: String
  /// What was expected and what was found.
  package let problem: String

  init(file: String? = nil, line: Int? = nil, key: String = "", _ problem: String) {
    (self.file, self.line, self.key, self.problem) = (file, line, key, problem)
  }

  /// The same, with the file's name.
  func inFile(_ file: String) -> ConfigurationError {
    ConfigurationError(file: file, line: line, key: key, problem)
  }

  package var description: String {
    let place = [file.map { DisplayText.escaped($0) }, line.map { "line \($0)" }, key.isEmpty ? nil : key]
    return (place.compactMap { $0 } + [problem]).joined(separator: ": ")
  }
}
