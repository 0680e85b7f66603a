internal import Glibc

/// Owner of the stream of a folder's names (opendir(3)).
@safe package struct FolderStream: ~Copyable {
  // SAFETY: made in init, closed in deinit with the descriptor that it owns, used only through this value.
  private let stream: OpaquePointer
  /// The folder's descriptor, for as long as this value lives.
  package let number: Int32

  /// fdopendir(3): takes over the descriptor of a folder that was opened for reading.
  package init(_ folder: consuming FileDescriptor) throws(SystemError) {
    // SAFETY: on success the stream owns the descriptor.
    guard let stream = unsafe fdopendir(folder.number) else { throw .last }
    unsafe self.stream = stream
    number = folder.release()
  }

  deinit { unsafe closedir(stream) }

  /// Names come in the system's order, `.` and `..` among them, until `body` returns false.
  package func forEachName(_ body: ([UInt8]) -> Bool) throws(SystemError) {
    unsafe rewinddir(stream)
    while true {
      errno = 0
      // SAFETY: the entry is valid until the next call on this stream; its name ends with a NUL byte. It is read where it
      // is and no further: the last entry of a full buffer has not all of the bytes that `d_name` declares.
      guard let entry = unsafe readdir(stream) else {
        guard errno == 0 else { throw .last }
        return
      }
      guard let field = unsafe entry.pointer(to: \.d_name) else { throw .invalidArgument }
      let start = unsafe UnsafeRawPointer(field).assumingMemoryBound(to: CChar.self)
      let name = unsafe Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      guard body(name) else { return }
    }
  }

  /// The names in the system's order; nil if there are more than `limit`.
  package func names(atMost limit: Int, where isWanted: ([UInt8]) -> Bool) throws(SystemError) -> [[UInt8]]? {
    var names: [[UInt8]] = []
    try forEachName { name in
      if isWanted(name) { names.append(name) }
      return names.count <= limit
    }
    return names.count <= limit ? names : nil
  }
}
