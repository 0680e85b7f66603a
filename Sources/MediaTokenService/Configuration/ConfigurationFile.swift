package import MediaToken
package import MediaTokenFormats
internal import MediaTokenSystem

/// Reads the configuration's file: strict JSON, in which the sections of ``Configuration`` declare every key.
package enum ConfigurationFile {
  /// The configuration in a file that only root and the daemon's user may change.
  ///
  /// - Parameter needed: the only required keys that have to be there; nil: all of them.
  /// - Throws: ``/MediaToken/Problem``, which names the file and the key, or the line of what is no JSON.
  package static func read(_ path: String, needing needed: Set<String>? = nil) throws(Problem) -> Configuration {
    let bytes = try rethrow(TrustedFile.contents(path)) { (error: Problem) in Problem(error.description)
    }
    return try rethrow(parse(bytes.span, needing: needed)) { (error: Problem) in error.inFile(path) }
  }

  /// The configuration in a text.
  static func parse(_ text: Span<UInt8>, needing needed: Set<String>? = nil) throws(Problem) -> Configuration {
    let json = try rethrow(JSONTree(parsing: text)) { (error: JSONError) in
      Problem((error.line.map { "line \($0): " } ?? "") + error.sentence)
    }
    return try configuration(json, needing: needed)
  }

  /// The configuration in an object.
  static func configuration(_ json: JSONTree, needing needed: Set<String>? = nil) throws(Problem) -> Configuration {
    let file = Given(json)
    let configuration = try Form.section(Configuration(), needing: needed).read(file)
    try configuration.checkTogether(file)
    return configuration
  }

  /// Every setting, each after what it is in, in the order of the declarations.
  package static var settings: [SettingDescription] { Configuration().rows.flatMap { $0.description.all() } }
}
