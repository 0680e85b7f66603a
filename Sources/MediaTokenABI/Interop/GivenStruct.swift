internal import CMediaToken

/// Structs that begin with their size, so that programs and libraries of different age can understand each other.
enum GivenStruct {
  /// No version of a struct will be larger. Bounds what is read for a size that is garbage.
  private static let largest = 4096

  /// A copy of the struct.
  ///
  /// A larger one, of a program that is younger than this library, is understood if all of what we don't know is zero.
  ///
  /// - Throws: ``Failure/badArgument(_:)`` for NULL, ``Failure/badSize(_:)`` for a size that cannot be.
  @inline(__always)
  static func copy<Struct: BitwiseCopyable>(
    _ given: UnsafePointer<Struct>?, _ name: StaticString
  ) throws(Failure) -> Struct {
    guard let given = unsafe given else { throw .badArgument("expected \(name), found NULL") }
    let known = MemoryLayout<Struct>.size
    // SAFETY: a size stands at the beginning of every version of the struct, and the caller says that so many bytes are
    // there; no more of them are read before that is known to be enough.
    let said = unsafe UnsafeRawPointer(given).loadUnaligned(as: Int.self)
    if said == known { return unsafe given.pointee }
    guard said > known, said <= largest else {
      throw .badSize("expected \(known) in size of \(name), found \(said); use the INIT macro of mediatoken.h")
    }
    let rest = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(given) + known, count: said - known)
    guard unsafe rest.allSatisfy({ $0 == 0 }) else {
      throw .badSize("expected zeros behind the \(known) bytes of \(name) that this version knows, found more")
    }
    return unsafe given.pointee
  }
}
