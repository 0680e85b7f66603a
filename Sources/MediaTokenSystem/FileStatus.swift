internal import CLinux
internal import Glibc

package struct FileStatus: Sendable, Equatable {
  /// Its text is the kind's name in sentences.
  package enum FileType: String, Sendable {
    case regular = "regular file"
    case folder, link
    case fifo = "FIFO"
    case socket, device
    case other = "special file"
  }

  package let kind: FileType
  /// The twelve permission bits.
  package let mode: UInt32
  /// In bytes.
  package let size: Int
  package let owner: UInt32
  package let group: UInt32
  /// The number of its names; none once it is deleted.
  package let links: Int
  /// The file system, and the file's number in it.
  package let (device, inode): (UInt64, UInt64)
  /// The last writing: seconds since 1970, and nanoseconds.
  package let (modifiedSeconds, modifiedNanoseconds): (Int, Int)
  /// The last change of anything here. Unlike the time before, no program can choose it (inode(7)).
  let (changedSeconds, changedNanoseconds): (Int, Int)

  package var isWritableByOthers: Bool { mode & (S_IWGRP | S_IWOTH) != 0 }

  /// True if, in a folder, only the owner of an entry may rename or remove it.
  var isSticky: Bool { mode & S_ISVTX != 0 }

  package func isSameFile(as other: FileStatus) -> Bool { inode == other.inode && device == other.device }

  private init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .folder
      case S_IFLNK: .link
      case S_IFIFO: .fifo
      case S_IFSOCK: .socket
      case S_IFCHR, S_IFBLK: .device
      default: .other
      }
    mode = status.st_mode & 0o7777
    size = status.st_size
    owner = status.st_uid
    group = status.st_gid
    links = Int(clamping: status.st_nlink)
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    (modifiedSeconds, modifiedNanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    (changedSeconds, changedNanoseconds) = (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
  }

  /// fstat(2): of an open file.
  package init(of descriptor: Int32) throws(SystemError) {
    var status = stat()
    // SAFETY: the call fills in the structure that it is given. So do the next ones.
    _ = try SystemCall.uninterrupted { unsafe fstat(descriptor, &status) }
    self.init(status)
  }

  /// lstat(2): of the file at this path; of a link itself.
  package init(ofLinkAt path: String) throws(SystemError) {
    let path = try SystemCall.terminated(path.utf8)
    var status = stat()
    _ = try SystemCall.uninterrupted { unsafe lstat(path, &status) }
    self.init(status)
  }

  /// stat(2): of the file that this path leads to.
  package init(ofFileAt path: String) throws(SystemError) { try self.init(of: Array(path.utf8), in: AT_FDCWD) }

  /// fstatat(2): of the file that this name in the folder leads to.
  package init(of name: [UInt8], in folder: Int32) throws(SystemError) {
    let name = try SystemCall.terminated(name)
    var status = stat()
    _ = try SystemCall.uninterrupted { unsafe fstatat(folder, name, &status, 0) }
    self.init(status)
  }
}

extension SystemCall {
  /// fstatfs(2): the number of the kind of file system.
  package static func fileSystemType(of descriptor: Int32) throws(SystemError) -> UInt64 {
    var facts = statfs()
    _ = try uninterrupted { unsafe fstatfs(descriptor, &facts) }
    return UInt64(truncatingIfNeeded: facts.f_type) & 0xFFFF_FFFF
  }

  /// The mounting of its disk that an open file belongs to: a number that no later mounting in this boot has, and that all
  /// processes see, wherever they see the file; nil if the system does not say it.
  ///
  /// ext4, XFS and F2FS have a folder in sysfs for as long as they are mounted, and the kernel numbers these in turn.
  package static func mounting(of descriptor: Int32) -> UInt64? {
    guard let device = (try? FileStatus(of: descriptor))?.device,
      let disk = try? FileDescriptor(
        opening: "/sys/dev/block/\(gnu_dev_major(dev_t(device))):\(gnu_dev_minor(dev_t(device)))", for: .reading,
        [.placeOnly, .noLink]),
      let name = try? destination(ofLink: disk.number).split(separator: UInt8(ascii: "/")).last
    else { return nil }
    for kind in ["ext4", "xfs", "f2fs"] {
      let folder = "/sys/fs/\(kind)/\(String(decoding: name, as: UTF8.self))"
      if let status = try? FileStatus(ofFileAt: folder) { return status.inode }
    }
    return nil
  }

  /// fstatvfs(3): true if nothing there can be written to.
  package static func isOnReadOnlyMount(_ descriptor: Int32) throws(SystemError) -> Bool {
    var facts = statvfs()
    _ = try uninterrupted { unsafe fstatvfs(descriptor, &facts) }
    return facts.f_flag & UInt(ST_RDONLY) != 0
  }
}
