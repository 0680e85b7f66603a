/// The user namespace that this process is in: it says which numbers are users (user_namespaces(7)).
package enum UserNamespace {
  /// The number that the kernel shows for every user that a namespace does not map, unless it was set otherwise
  /// (`/proc/sys/kernel/overflowuid`). In a namespace that maps all users it is an ordinary user's.
  static let unknown: UInt32 = 65534

  /// True if the number is one user's: what one user does whom the namespace does not map, another one did not do.
  package static func isOne(_ user: UInt32) -> Bool { isOne(user, everyUserIsKnown: everyUserIsKnown) }

  package static func isOne(_ user: UInt32, everyUserIsKnown: Bool) -> Bool {
    user != .max && (user != unknown || everyUserIsKnown)
  }

  /// True if this is a user namespace in which every number is a user's own: the first one, or one that maps all.
  static let everyUserIsKnown: Bool = {
    guard let file = try? FileDescriptor(opening: "/proc/self/uid_map", for: .reading) else { return false }
    var bytes = [UInt8](repeating: 0, count: 4096)
    guard let count = try? SystemCall.read(file.number, into: &bytes, from: 0) else { return false }
    // All of the 2³² numbers but the last, which is not a user (user_namespaces(7)).
    return String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isWhitespace) == [
      "0", "0", "4294967295",
    ]
  }()
}
