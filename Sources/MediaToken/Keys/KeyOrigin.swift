internal import MediaTokenSystem

/// The place where a key was found.
package struct KeyOrigin: Sendable, Hashable {
  package let part: Part

  /// As it was given or found.
  let name: [UInt8]

  package enum Part: Sendable, Hashable {
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

  /// Everything is escaped that could fool a terminal or a log.
  package var file: String { DisplayText.escaped(name) }

  func at(_ part: Part) -> KeyOrigin { KeyOrigin(name: name, part: part) }
}

extension KeyOrigin: CustomStringConvertible {
  /// `adobe.jks (alias "adobe")`, for example.
  package var description: String {
    switch part {
    case .whole: file
    case .line(let line): "\(file) (line \(line))"
    case .alias(let alias): "\(file) (alias \"\(alias)\")"
    }
  }
}
