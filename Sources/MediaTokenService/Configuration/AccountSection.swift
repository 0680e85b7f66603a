internal import MediaTokenJSON

/// Users and groups in the configuration: numbers, or names that the system knows.
enum AccountSection {
  /// One of them, or nil if the key is absent.
  static func id(
    _ key: String, _ object: ConfigurationObject, named search: (String) -> UInt32?, _ kind: String
  ) throws(ConfigurationError) -> UInt32? {
    guard let json = object.value(key) else { return nil }
    return try id(json, search, kind) { object.error(key, $0) }
  }

  /// A list of them; empty if the key is absent.
  static func ids(
    _ key: String, _ object: ConfigurationObject, named search: (String) -> UInt32?, _ kind: String
  ) throws(ConfigurationError) -> [UInt32] {
    var ids: [UInt32] = []
    for element in try object.elements(key) ?? [] {
      ids.append(
        try id(element.json, search, kind) {
          ConfigurationError(line: element.json.line, key: element.key, $0)
        })
    }
    return ids
  }

  private static func id(
    _ json: LocatedJSON, _ search: (String) -> UInt32?, _ kind: String, _ error: (String) -> ConfigurationError
  ) throws(ConfigurationError) -> UInt32 {
    switch json.value {
    // 4294967295 means "nobody" to chown(2).
    case .integer(let number) where (0..<Int64(UInt32.max)).contains(number): return UInt32(number)
    case .string(let name):
      guard !name.isEmpty, !name.utf8.contains(0), let id = search(name) else {
        throw error("expected a \(kind) that the system knows, found another name")
      }
      return id
    default: throw error("expected a \(kind)'s name or number, found \(json.value.kind)")
    }
  }
}
