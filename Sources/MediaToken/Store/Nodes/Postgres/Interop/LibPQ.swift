internal import CLibPQ

/// libpq, loaded when the first address `postgres:` is opened. It is not linked, because it brings twenty libraries and 4 MB of memory,
/// which nothing else needs.
enum LibPQ {
  private static let loaded = {
    var functions = mediatoken_pq()
    // SAFETY: a text that lives until the next failure of the loader.
    let failure = unsafe mediatoken_pq_load(&functions).map { unsafe String(cString: $0) }
    return (functions: functions, failure: failure)
  }()

  /// The loader's words; nil if libpq is loaded.
  static var failure: String? { loaded.failure }

  /// To be called only where ``failure`` is nil: an engine is not made without.
  static var functions: mediatoken_pq { loaded.functions }
}
