// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are C's.

public import CMediaToken
internal import MediaToken

// About the library itself: see mediatoken.h.

@c @implementation
public func mediatoken_abi_version() -> UInt32 { UInt32(MEDIATOKEN_ABI_VERSION) }

@c @implementation
public func mediatoken_version() -> UnsafePointer<CChar>? { unsafe EternalTexts.version.pointer }

@c @implementation
public func mediatoken_code_name(_ code: mediatoken_code) -> UnsafePointer<CChar>? {
  unsafe (EternalTexts.codes[code.rawValue] ?? EternalTexts.unknown).name.pointer
}

@c @implementation
public func mediatoken_strerror(_ code: mediatoken_code) -> UnsafePointer<CChar>? {
  unsafe (EternalTexts.codes[code.rawValue] ?? EternalTexts.unknown).sentence.pointer
}

@c @implementation
public func mediatoken_http_status(_ code: mediatoken_code) -> Int32 { CodeTable.httpStatus(code) }

/// Texts that live as long as the process.
private enum EternalTexts {
  static let version = CText(Version.current)
  static let codes = CodeTable.codes.mapValues { (name: CText($0.name), sentence: CText($0.sentence)) }
  static let unknown = (
    name: CText("UNKNOWN_CODE"), sentence: CText("no verdict: a code that this library does not know")
  )
}
