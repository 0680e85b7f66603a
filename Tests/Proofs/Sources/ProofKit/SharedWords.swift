import Glibc
import Synchronization

/// 64-bit words in a file that all processes of a proof map: counters and ledgers. What a process wrote before it was
/// killed stays there.
public final class SharedWords: @unchecked Sendable {
  private let words: UnsafeMutablePointer<Atomic<UInt64>>
  public let count: Int

  /// Maps the file, and makes it if it is missing.
  public init(_ path: String, count: Int) {
    self.count = count
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, ftruncate(descriptor, count * 8) == 0,
      let mapped = mmap(nil, count * 8, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), mapped != MAP_FAILED
    else { fail("cannot map \(path): \(String(cString: strerror(errno)))") }
    close(descriptor)
    words = mapped.assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  deinit { munmap(words, count * 8) }

  /// The word at an index. Every access is sequentially consistent.
  public subscript(index: Int) -> UInt64 {
    get {
      precondition(index >= 0 && index < count)
      return words[index].load(ordering: .sequentiallyConsistent)
    }
    set {
      precondition(index >= 0 && index < count)
      words[index].store(newValue, ordering: .sequentiallyConsistent)
    }
  }

  /// Adds, and returns what was there before.
  @discardableResult
  public func add(_ value: UInt64, at index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return words[index].wrappingAdd(value, ordering: .sequentiallyConsistent).oldValue
  }

  /// Sets bits, and returns what was there before.
  @discardableResult
  public func set(_ bits: UInt64, at index: Int) -> UInt64 {
    precondition(index >= 0 && index < count)
    return words[index].bitwiseOr(bits, ordering: .sequentiallyConsistent).oldValue
  }
}
