/// The process and user that have what another program wanted: for messages alone. Nothing is decided by it, and what the
/// system does not tell is nil.
package struct Holder: Sendable, Hashable {
  /// Nil if the process is another user's and can't be looked at.
  package let process: Int32?
  package let user: UInt32?

  private init(process: Int32?, user: UInt32?) { (self.process, self.user) = (process, user) }

  /// The program's name as the system cuts it off, after 15 bytes.
  package var program: String? {
    guard let process else { return nil }
    let name = ProcessFacts.read("/proc/\(process)/comm").prefix { $0 != UInt8(ascii: "\n") }
    return name.isEmpty ? nil : DisplayText.escaped(Array(name))
  }

  /// True if it is a `mediatokend`, or the service manager, which keeps sockets for one.
  package var servesTheSame: Bool { program == "mediatokend" || process == 1 }

  /// The process that listens at the other end of a connected UNIX socket (unix(7)).
  package init?(listeningAt descriptor: Int32) {
    guard let peer = Sockets.peer(of: descriptor), peer.pid > 0 else { return nil }
    self.init(process: peer.pid, user: peer.uid)
  }

  /// The process with a lock on a whole file, by `/proc/locks` (proc(5)).
  package init?(lockOn descriptor: Int32) {
    guard let inode = try? FileStatus(of: descriptor).inode else { return nil }
    let owners = Self.fields(ofLinesIn: "/proc/locks").filter { fields in
      fields.count > 5 && fields[1] == "FLOCK" && fields[5].hasSuffix(":\(inode)")
    }
    guard owners.count == 1, let process = Int32(owners[0][4]), process > 0 else { return nil }
    self.init(process: process, user: nil)
  }

  /// The process that listens on a port of the loopback interface, or of all.
  package init?(port: UInt16) {
    let digits = String(port, radix: 16, uppercase: true)
    let wanted = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    let sockets = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap { Self.fields(ofLinesIn: $0) }
    // 0A: it listens. Then come the user and the socket's number.
    guard let found = sockets.first(where: { $0.count > 9 && $0[3] == "0A" && $0[1].hasSuffix(wanted) }),
      let user = UInt32(found[7])
    else { return nil }
    self.init(process: Self.process(withSocket: found[9]), user: user)
  }

  private static func process(withSocket inode: String) -> Int32? {
    names(in: "/proc").compactMap { Int32($0) }.first { process in
      names(in: "/proc/\(process)/fd").contains { name in
        guard
          let link = try? FileDescriptor(
            opening: "/proc/\(process)/fd/\(name)", for: .reading, [.placeOnly, .noLink]),
          let target = try? SystemCall.destination(ofLink: link.number)
        else { return false }
        return target == Array("socket:[\(inode)]".utf8)
      }
    }
  }

  private static func names(in folder: String) -> [String] {
    guard let descriptor = try? FileDescriptor(opening: folder, for: .reading, .folder),
      let stream = try? FolderStream(descriptor)
    else { return [] }
    return ((try? stream.names(atMost: 100_000) { $0.first != UInt8(ascii: ".") }) ?? nil ?? []).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func fields(ofLinesIn path: String) -> [[String]] {
    ProcessFacts.read(path).split(separator: UInt8(ascii: "\n")).map { line in
      line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }
  }
}

extension Holder: CustomStringConvertible {
  package var description: String {
    guard let process else { return user.map { "a process of user \(Accounts.userName(ofID: $0))" } ?? "a process" }
    return "process \(process)" + (program.map { " (\($0))" } ?? "")
  }
}
