internal import Glibc

/// Users and groups by their names.
package enum Accounts {
  /// The largest entry that is looked at, in bytes; a group's entry names all its members.
  private static let longestEntry = 1 << 20

  /// The number of the user with this name, or nil if it does not exist.
  package static func userID(ofName name: String) -> UInt32? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // SAFETY: entry, buffer and result outlive the call; the strings in the entry are not looked at.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getpwnam_r(name, &entry, buffer, size, &found) }
      return unsafe found?.pointee.pw_uid
    }
  }

  /// The number of the group with this name, or nil if it does not exist.
  package static func groupID(ofName name: String) -> UInt32? {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    // SAFETY: as above.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getgrnam_r(name, &entry, buffer, size, &found) }
      return unsafe found?.pointee.gr_gid
    }
  }

  /// The name of the group with this number, or the number itself if it has none.
  package static func groupName(ofID id: UInt32) -> String {
    var entry = unsafe group()
    var found: UnsafeMutablePointer<group>?
    var name: String?
    // SAFETY: as above; the name is copied before the buffer ends.
    _ = unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getgrgid_r(id, &entry, buffer, size, &found) }
      unsafe name = found.map { unsafe String(cString: $0.pointee.gr_name) }
      return id
    }
    return name ?? "\(id)"
  }

  /// The name of the user with this number, or the number itself if it has none.
  package static func userName(ofID id: UInt32) -> String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    var name: String?
    // SAFETY: as above.
    _ = unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getpwuid_r(id, &entry, buffer, size, &found) }
      unsafe name = found.map { unsafe String(cString: $0.pointee.pw_name) }
      return id
    }
    return name ?? "\(id)"
  }

  /// The user's own group, or nil if there is no such user.
  package static func ownGroupID(ofUser name: String) -> UInt32? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // SAFETY: as above.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getpwnam_r(name, &entry, buffer, size, &found) }
      return unsafe found?.pointee.pw_gid
    }
  }

  /// Calls `search` with more and more room, until what it finds fits.
  private static func withBuffer(
    _ search: (UnsafeMutablePointer<CChar>, Int) throws(SystemError) -> UInt32?
  ) -> UInt32? {
    var size = 4096
    while size <= longestEntry {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { unsafe buffer.deallocate() }
      do throws(SystemError) {
        return try unsafe search(buffer, size)
      } catch {
        guard error.code == ERANGE else { return nil }
        size *= 4
      }
    }
    return nil
  }
}
