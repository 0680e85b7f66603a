internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// Reads the configuration's file: strict JSON, in which the sections of ``Configuration`` declare every key.
package enum ConfigurationFile {
  /// The configuration in a file that only root and the daemon's user may change.
  ///
  /// - Throws: ``ConfigurationError``, which names the file, the line and the key.
  package static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    let bytes = try rethrow(TrustedFile.contents(path)) { (error: KeyError) in ConfigurationError(error.description)
    }
    return try rethrow(parse(bytes.span)) { (error: ConfigurationError) in error.inFile(path) }
  }

  /// The configuration in a text.
  static func parse(_ text: Span<UInt8>) throws(ConfigurationError) -> Configuration {
    let json = try rethrow(LocatedJSON(parsing: text)) { (error: JSONError) in
      ConfigurationError(line: error.line, error.sentence)
    }
    return try configuration(json)
  }

  /// The configuration in an object.
  static func configuration(_ json: LocatedJSON) throws(ConfigurationError) -> Configuration {
    let file = ConfigurationValue(json)
    let configuration = try SettingValues.section(Configuration()).read(file)
    try configuration.checkTogether(file)
    return configuration
  }

  /// Every setting, each after what it is in, in the order of the declarations.
  package static var settings: [SettingDescription] { Configuration().described.flatMap { $0.all() } }
}
