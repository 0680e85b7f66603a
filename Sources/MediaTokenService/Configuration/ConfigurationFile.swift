internal import MediaToken
internal import MediaTokenJSON

/// Reads the configuration's file: strict JSON, in which ``Settings`` declares every key.
package enum ConfigurationFile {
  /// The configuration in a file that only root and the daemon's user may change.
  ///
  /// - Throws: ``ConfigurationError``, which names the file, the line and the key.
  package static func read(_ path: String) throws(ConfigurationError) -> Configuration {
    let bytes: [UInt8]
    do throws(KeyError) {
      bytes = try TrustedFile.contents(path)
    } catch {
      throw ConfigurationError(error.description)
    }
    do throws(ConfigurationError) {
      return try parse(bytes.span)
    } catch {
      throw error.inFile(path)
    }
  }

  /// The configuration in a text.
  static func parse(_ text: Span<UInt8>) throws(ConfigurationError) -> Configuration {
    let json: LocatedJSON
    do throws(JSONError) {
      json = try LocatedJSON(parsing: text)
    } catch {
      throw ConfigurationError(line: error.line, error.sentence)
    }
    return try configuration(json)
  }

  /// The configuration in an object.
  static func configuration(_ json: LocatedJSON) throws(ConfigurationError) -> Configuration {
    try Settings.file.read(ConfigurationValue(json, key: ""))
  }
}
