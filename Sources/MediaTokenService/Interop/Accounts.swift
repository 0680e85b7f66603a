internal import Glibc

/// Users and groups by their names.
enum Accounts {
  /// The largest entry that is looked at, in bytes; a group's entry names all its members.
  private static let longestEntry = 1 << 20

  /// The number of the user with this name, or nil if there is none.
  static func userID(ofName name: String) -> UInt32? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // SAFETY: entry, buffer and result outlive the call; the strings in the entry are not looked at.
    return unsafe withBuffer { buffer, size in
      let code = unsafe getpwnam_r(name, &entry, buffer, size, &found)
      return unsafe (code, found?.pointee.pw_uid)
    }
  }

  /// The number of the group with this name, or nil if there is none.
  static func groupID(ofName name: String) -> UInt32? {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    // SAFETY: as above.
    return unsafe withBuffer { buffer, size in
      let code = unsafe getgrnam_r(name, &entry, buffer, size, &found)
      return unsafe (code, found?.pointee.gr_gid)
    }
  }

  private static func withBuffer(
    _ search: (UnsafeMutablePointer<CChar>, Int) -> (code: Int32, id: UInt32?)
  ) -> UInt32? {
    var size = 4096
    while size <= longestEntry {
      let result = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
        guard let start = buffer.baseAddress else { return (code: ENOMEM, id: UInt32?.none) }
        return unsafe search(start, buffer.count)
      }
      guard result.code == ERANGE || result.code == EINTR else { return result.code == 0 ? result.id : nil }
      if result.code == ERANGE { size *= 4 }
    }
    return nil
  }
}
