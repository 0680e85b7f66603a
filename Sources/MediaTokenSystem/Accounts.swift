internal import Glibc

/// Users and groups by their names.
package enum Accounts {
  /// The largest entry that is looked at, in bytes; a group's entry names all its members.
  private static let longestEntry = 1 << 20

  /// The number of the user with this name, or nil if it does not exist.
  package static func userID(ofName name: String) -> UInt32? { user(named: name)?.id }

  /// The user's own group, or nil if there is no such user.
  package static func ownGroupID(ofUser name: String) -> UInt32? { user(named: name)?.group }

  private static func user(named name: String) -> (id: UInt32, group: UInt32)? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // SAFETY: entry, buffer and result outlive the call; the strings in the entry are not looked at.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getpwnam_r(name, &entry, buffer, size, &found) }
      return unsafe found.map { unsafe ($0.pointee.pw_uid, $0.pointee.pw_gid) }
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
    // SAFETY: as above; the name is copied before the buffer ends.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getgrgid_r(id, &entry, buffer, size, &found) }
      return unsafe found.map { unsafe String(cString: $0.pointee.gr_name) }
    } ?? "\(id)"
  }

  /// The name of the user with this number, or the number itself if it has none.
  package static func userName(ofID id: UInt32) -> String {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>?
    // SAFETY: as above.
    return unsafe withBuffer { (buffer, size) throws(SystemError) in
      unsafe found = nil
      try SystemCall.succeeding { unsafe getpwuid_r(id, &entry, buffer, size, &found) }
      return unsafe found.map { unsafe String(cString: $0.pointee.pw_name) }
    } ?? "\(id)"
  }

  /// Calls `search` with more and more room, until what it finds fits.
  private static func withBuffer<Found>(
    _ search: (UnsafeMutablePointer<CChar>, Int) throws(SystemError) -> Found?
  ) -> Found? {
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
