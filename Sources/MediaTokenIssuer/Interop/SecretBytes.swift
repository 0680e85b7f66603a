internal import CLibCrypto
internal import MediaTokenSystem

/// Bytes that are overwritten before their memory is given back: a private key on its way in or out.
@safe package struct SecretBytes: ~Copyable {
  // SAFETY: allocated in init with `storage.count` bytes, all of them initialised; freed in deinit.
  private let storage: UnsafeMutableBufferPointer<UInt8>
  private var used = 0

  /// Room for `capacity` bytes, none of them used.
  package init(capacity: Int) {
    unsafe storage = .allocate(capacity: capacity)
    unsafe storage.initialize(repeating: 0)
  }

  deinit {
    unsafe OPENSSL_cleanse(storage.baseAddress, storage.count)
    unsafe storage.deallocate()
  }

  /// The used bytes.
  package var span: Span<UInt8> {
    // SAFETY: the storage lives as long as this value, which the caller borrows.
    unsafe Span(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: storage[..<used])), of: self)
  }

  /// Lets `fill` write into the unused room; it says how many bytes it wrote.
  ///
  /// - Returns: what `fill` returned.
  package mutating func append<Failure: Error>(
    _ fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    // SAFETY: the storage lives as long as this value, and only this value writes to it.
    let free = unsafe UnsafeMutableBufferPointer(rebasing: storage[used...])
    var room = unsafe free.mutableSpan
    let written = try fill(&room)
    precondition(written >= 0 && written <= free.count, "more bytes written than there was room for")
    used += written
    return written
  }
}
