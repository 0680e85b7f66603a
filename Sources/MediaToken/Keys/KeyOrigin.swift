internal import MediaTokenSystem

/// Where a key was found.
package struct KeyOrigin: Sendable, Hashable {
  /// Which part of the file.
  package let part: Part

  /// The file's name in bytes, as it was given or found.
  let name: [UInt8]

  /// A place inside a key file.
  package enum Part: Sendable, Hashable {
    /// The whole file.
    case whole
    /// The PEM block that begins at this line, or the line itself; the first line is 1.
    case line(Int)
    /// The keystore entry of this alias, escaped for display.
    case alias(String)
  }

  init(name: [UInt8], part: Part = .whole) {
    self.name = name
    self.part = part
  }

  /// The file's name, with everything escaped that could fool a terminal or a log.
  package var file: String { DisplayText.escaped(name) }

  /// The same file at another place.
  func at(_ part: Part) -> KeyOrigin { KeyOrigin(name: name, part: part) }
}

extension KeyOrigin: CustomStringConvertible {
  /// The file and the place in it, for example `adobe.jks (alias "adobe")`.
  package var description: String {
    switch part {
    case .whole: file
    case .line(let line): "\(file) (line \(line))"
    case .alias(let alias): "\(file) (alias \"\(alias)\")"
    }
  }
}
