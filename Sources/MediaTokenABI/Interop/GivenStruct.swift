internal import CMediaToken

/// Structs that begin with their size, so that programs and libraries of different versions work together.
enum GivenStruct {
  /// No version of a struct will be larger. Bounds what is read for a size that is garbage.
  private static let largest = 4096

  /// A larger struct, of a program that is newer than this library, is accepted if everything that this version does
  /// not know is zero. One of an older program, with one of the former sizes, lacks what was added later, which is then
  /// zero.
  ///
  /// - Throws: ``Failure/badArgument(_:)`` for NULL, ``Failure/badSize(_:)`` for an impossible size.
  static func copy<Struct: BitwiseCopyable>(
    _ given: UnsafePointer<Struct>?, _ name: StaticString, formerSizes: [Int] = []
  ) throws(Failure) -> Struct {
    guard let given = unsafe given else { throw .badArgument("\(name) is NULL") }
    let known = MemoryLayout<Struct>.size
    // SAFETY: every version of the struct begins with its size, and the caller says that this many bytes are there; no more
    // of them is read before the size is checked.
    let said = unsafe UnsafeRawPointer(given).loadUnaligned(as: Int.self)
    if said == known { return unsafe given.pointee }
    if formerSizes.contains(said) { return unsafe beginning(given, said) }
    guard said > known, said <= largest else {
      throw .badSize("expected \(known) in size of \(name), found \(said); use the INIT macro of mediatoken.h")
    }
    let rest = unsafe UnsafeRawBufferPointer(start: UnsafeRawPointer(given) + known, count: said - known)
    guard unsafe rest.allSatisfy({ $0 == 0 }) else {
      throw .badSize("\(name) is not zero after the \(known) bytes that this version knows")
    }
    return unsafe given.pointee
  }

  private static func beginning<Struct: BitwiseCopyable>(_ given: UnsafePointer<Struct>, _ size: Int) -> Struct {
    // SAFETY: the caller says that these bytes are there, and they fit into the room. C's structs may be all zeros.
    unsafe withUnsafeTemporaryAllocation(of: Struct.self, capacity: 1) { room in
      let bytes = UnsafeMutableRawBufferPointer(room)
      _ = unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
      unsafe bytes.copyMemory(from: UnsafeRawBufferPointer(start: given, count: size))
      return unsafe bytes.load(as: Struct.self)
    }
  }
}
