/// A C program's reference to one of our objects, as a pointer to an opaque struct.
enum Handle {
  /// Gives a reference away.
  static func giving<Object: AnyObject>(_ object: Object) -> OpaquePointer {
    // SAFETY: the reference is the caller's until `free` takes it back.
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
  }

  /// Nil for NULL.
  static func object<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
    guard let handle = unsafe handle else { return nil }
    // SAFETY: the header demands a handle of this kind that was not freed; C's types tell the kinds apart.
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
  }

  /// Takes the reference back. NULL is fine.
  static func free<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle = unsafe handle else { return }
    // SAFETY: as in `object`; the header forbids to use the handle from here on.
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
  }
}
