internal import CLibHiredis
internal import MediaTokenSystem

/// Takes replies out of a stream; hiredis reads them.
///
/// hiredis's own objects would be as large as the other side says, so it is given functions that keep only what is expected
/// here: a value, or a list of at most ``mostElements`` values. Anything else ends the stream, also what a later hiredis reads
/// without asking a function: a reply that was not built here is no reply.
@safe final class ReplyReader {
  /// The most bytes that one reply may have: INFO of all sections has about six thousand.
  static let mostBytes = 65536
  /// A time and an answer to each claim of the largest batch.
  static let mostElements = 1 + ClaimBatch.mostClaims

  // SAFETY: both are allocated in init and freed in deinit; hiredis calls the functions only inside `take`, with the box of
  // the reply, which lives as long as this object.
  private let reader: UnsafeMutablePointer<redisReader>
  private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
  private let box = Box()
  /// The bytes that came since the last whole reply.
  private(set) var open = 0

  fileprivate final class Box {
    var reply = Reply()
  }

  init() {
    unsafe functions = .allocate(capacity: 1)
    unsafe functions.initialize(to: Self.objectFunctions())
    guard let reader = unsafe redisReaderCreateWithFunctions(functions) else {
      preconditionFailure("no memory for a reader")
    }
    unsafe self.reader = reader
    unsafe reader.pointee.privdata = Unmanaged.passUnretained(box).toOpaque()
    // The room that it keeps while nothing is open.
    unsafe reader.pointee.maxbuf = 16384
  }

  deinit {
    unsafe redisReaderFree(reader)
    unsafe functions.deallocate()
  }

  func feed(_ bytes: Span<UInt8>) throws(ForeignReply) {
    open += bytes.count
    // SAFETY: hiredis copies the span's bytes.
    let status = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { unsafe redisReaderFeed(reader, $0.baseAddress, $0.count) }
    }
    guard status == REDIS_OK else { throw ForeignReply() }
  }

  /// Nil if not all of the next reply has arrived.
  func take() throws(ForeignReply) -> Reply? {
    var object: UnsafeMutableRawPointer?
    guard unsafe redisReaderGetReply(reader, &object) == REDIS_OK else { throw ForeignReply() }
    guard let object = unsafe object else {
      guard open <= Self.mostBytes else { throw ForeignReply() }
      return nil
    }
    // A first value that no function made would leave the reply before in the box; any other would be missing there.
    guard unsafe object == reader.pointee.privdata, box.reply.isWhole else { throw ForeignReply() }
    open = unsafe reader.pointee.len - reader.pointee.pos
    return box.reply
  }

  /// hiredis calls these for each value. A null pointer ends the stream; the box says that it goes on.
  private static func objectFunctions() -> redisReplyObjectFunctions {
    var functions = redisReplyObjectFunctions()
    unsafe functions.createString = { task, text, length in
      guard let task = unsafe task, let reply = unsafe Box.of(task), let text = unsafe text else { return nil }
      let kind: Reply.Value.Kind
      switch unsafe task.pointee.type {
      case REDIS_REPLY_STRING: kind = .bytes
      case REDIS_REPLY_STATUS: kind = .status
      case REDIS_REPLY_ERROR: kind = .error
      default: return nil
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length)).assumingMemoryBound(to: UInt8.self)
      unsafe reply.reply.add(kind, text: bytes.span)
      return unsafe task.pointee.privdata
    }
    unsafe functions.createArray = { task, count in
      // No command that is sent here is answered by a list of lists.
      guard let task = unsafe task, unsafe task.pointee.parent == nil,
        unsafe task.pointee.type == REDIS_REPLY_ARRAY,
        count >= 0, count <= ReplyReader.mostElements, let reply = unsafe Box.of(task)
      else { return nil }
      reply.reply.add(.list, number: Int64(count))
      return unsafe task.pointee.privdata
    }
    unsafe functions.createInteger = { task, number in
      guard let task = unsafe task, let reply = unsafe Box.of(task) else { return nil }
      reply.reply.add(.integer, number: number)
      return unsafe task.pointee.privdata
    }
    unsafe functions.createNil = { task in
      // Lists, and kinds of RESP3, may be null too.
      guard let task = unsafe task, unsafe task.pointee.type == REDIS_REPLY_STRING, let reply = unsafe Box.of(task)
      else { return nil }
      reply.reply.add(.null)
      return unsafe task.pointee.privdata
    }
    unsafe functions.freeObject = { _ in }
    unsafe mediatoken_hiredis_refuse_resp3(&functions)
    return functions
  }
}

extension ReplyReader.Box {
  /// The box of the reader that has this task; a task without a parent begins a reply.
  fileprivate static func of(_ task: UnsafePointer<redisReadTask>) -> ReplyReader.Box? {
    guard let privdata = unsafe task.pointee.privdata else { return nil }
    let box = unsafe Unmanaged<ReplyReader.Box>.fromOpaque(privdata).takeUnretainedValue()
    if unsafe task.pointee.parent == nil { box.reply.clear() }
    return box
  }
}
