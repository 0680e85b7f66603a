internal import Glibc

package enum Accounts {
  /// The largest entry that is looked at, in bytes; a group's entry names all its members.
  private static let longestEntry = 1 << 20

  package static func userID(ofName name: String) -> UInt32? { user(named: name)?.id }

  /// The user's own group.
  package static func ownGroupID(ofUser name: String) -> UInt32? { user(named: name)?.group }

  private static func user(named name: String) -> (id: UInt32, group: UInt32)? {
    unsafe find(passwd(), { unsafe getpwnam_r(name, $0, $1, $2, $3) }, { unsafe ($0.pw_uid, $0.pw_gid) })
  }

  package static func groupID(ofName name: String) -> UInt32? {
    unsafe find(group(), { unsafe getgrnam_r(name, $0, $1, $2, $3) }, { unsafe $0.gr_gid })
  }

  /// The number itself if the group has no name.
  package static func groupName(ofID id: UInt32) -> String {
    unsafe find(group(), { unsafe getgrgid_r(id, $0, $1, $2, $3) }, { unsafe String(cString: $0.gr_name) })
      ?? "\(id)"
  }

  /// The number itself if the user has no name.
  package static func userName(ofID id: UInt32) -> String {
    unsafe find(passwd(), { unsafe getpwuid_r(id, $0, $1, $2, $3) }, { unsafe String(cString: $0.pw_name) })
      ?? "\(id)"
  }

  /// Reads what `search` finds, with more and more room until it fits.
  private static func find<Entry, Found>(
    _ empty: Entry,
    _ search: (
      UnsafeMutablePointer<Entry>, UnsafeMutablePointer<CChar>, Int,
      UnsafeMutablePointer<UnsafeMutablePointer<Entry>?>
    ) -> Int32,
    _ read: (Entry) -> Found
  ) -> Found? {
    var entry = empty
    var size = 4096
    while size <= longestEntry {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { unsafe buffer.deallocate() }
      var found: UnsafeMutablePointer<Entry>?
      do throws(SystemError) {
        // SAFETY: entry, buffer and result outlive the call, and the buffer outlives the reading.
        try SystemCall.succeeding { unsafe search(&entry, buffer, size, &found) }
        return unsafe found.map { unsafe read($0.pointee) }
      } catch {
        guard error.code == ERANGE else { return nil }
        size *= 4
      }
    }
    return nil
  }
}
