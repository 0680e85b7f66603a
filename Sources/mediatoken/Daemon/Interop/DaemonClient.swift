internal import CLibCurl
internal import MediaToken
internal import MediaTokenFormats
internal import MediaTokenSystem

/// One question to a daemon over its UNIX socket; HTTP is libcurl's work.
@safe struct DaemonClient: ~Copyable {
  // SAFETY: made in init, freed in deinit, used only through this value; libcurl keeps the headers' list until then.
  private let handle: UnsafeMutableRawPointer
  private var curl = mediatoken_curl()
  private var headers: UnsafeMutablePointer<curl_slist>?

  /// The longest answer that is read, in bytes: room for a token of the greatest length with every byte escaped, and
  /// for the other members.
  static let longestAnswer = 1 << 20

  /// In words of ours, which scripts may look for: libcurl 8 has others than libcurl 7.
  static let notConnected = "couldn't connect to server"
  /// The code of a connection that was not made, or ended before the question was sent: the daemon may have refused us.
  static let notAsked = "notAsked"

  struct Answer: Redacted {
    let status: Int
    let body: [UInt8]
    /// Nil if the body is no JSON object, or not said to be JSON.
    let members: [JSONTree.Member]?
  }

  /// Loads libcurl, which no other command needs.
  init() throws(Problem) {
    // SAFETY: a text that lives until the next failure of the loader.
    if let missing = unsafe mediatoken_curl_load(&curl).map({ unsafe String(cString: $0) }) {
      throw Problem("libcurl can't be loaded: \(missing)", cure: "install it (Debian: libcurl4)")
    }
    // With the sockets' part alone: no TLS is spoken here.
    guard curl.curl_global_init(Int(CURL_GLOBAL_NOTHING)) == CURLE_OK,
      let handle = unsafe curl.curl_easy_init()
    else {
      throw Problem("libcurl does not start")
    }
    unsafe self.handle = handle
    unsafe headers = nil
  }

  deinit {
    unsafe curl.curl_easy_cleanup(handle)
    unsafe curl.curl_slist_free_all(headers)
  }

  /// The limit is for everything together, in milliseconds. The error is in libcurl's words, which contain neither body
  /// nor headers.
  mutating func ask(
    _ question: DaemonQuestion, at socket: String, withinMilliseconds limit: Int
  ) throws(Problem) -> Answer {
    if let body = question.body {
      try add("Content-Type: \(body.type)")
      try add("Expect:")
      try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_POST, 1))
      try check(unsafe mediatoken_curl_set_bytes(&curl, handle, body.bytes, body.bytes.count))
    }
    try add("Accept: application/json")
    // No proxy, whatever the environment says; no other protocol, no other host.
    try check(unsafe mediatoken_curl_set_text(&curl, handle, CURLOPT_URL, "http://localhost\(question.target)"))
    try check(unsafe mediatoken_curl_set_text(&curl, handle, CURLOPT_UNIX_SOCKET_PATH, socket))
    try check(unsafe mediatoken_curl_set_text(&curl, handle, CURLOPT_PROXY, ""))
    try check(unsafe mediatoken_curl_set_text(&curl, handle, CURLOPT_PROTOCOLS_STR, "http"))
    try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_FOLLOWLOCATION, 0))
    try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)))
    try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_HTTP09_ALLOWED, 0))
    try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_NOSIGNAL, 1))
    try check(unsafe mediatoken_curl_set_long(&curl, handle, CURLOPT_TIMEOUT_MS, limit))
    try check(unsafe mediatoken_curl_set_headers(&curl, handle, headers))
    let received = Received()
    // SAFETY: the object outlives the transfer, which is over when curl_easy_perform returns.
    try check(
      unsafe mediatoken_curl_set_writer(
        &curl, handle,
        { bytes, size, count, argument in
          guard let bytes = unsafe bytes, let argument = unsafe argument else { return 0 }
          let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
          return unsafe Unmanaged<Received>.fromOpaque(argument).takeUnretainedValue().take(buffer)
        }, Unmanaged.passUnretained(received).toOpaque()))
    try withExtendedLifetime(received) { () throws(Problem) in try check(unsafe curl.curl_easy_perform(handle)) }
    return try answer(received.bytes)
  }

  private mutating func add(_ header: String) throws(Problem) {
    guard let list = unsafe curl.curl_slist_append(headers, header) else {
      throw Problem("out of memory")
    }
    unsafe headers = list
  }

  private mutating func answer(_ body: [UInt8]) throws(Problem) -> Answer {
    var status = 0
    var type: UnsafeMutablePointer<CChar>?
    try check(unsafe mediatoken_curl_get_long(&curl, handle, CURLINFO_RESPONSE_CODE, &status))
    try check(unsafe mediatoken_curl_get_text(&curl, handle, CURLINFO_CONTENT_TYPE, &type))
    // SAFETY: the text is the handle's, until the next transfer, and ends with NUL.
    let isJSON = unsafe type.map { unsafe String(cString: $0).hasSameBytes(as: "application/json") } ?? false
    guard isJSON, case .object(let members)? = (try? JSONTree(parsing: body.span))?.value else {
      return Answer(status: status, body: body, members: nil)
    }
    return Answer(status: status, body: body, members: members)
  }

  private func check(_ code: CURLcode) throws(Problem) {
    guard code != CURLE_OK else { return }
    // SAFETY: a text that lives as long as the program.
    let words =
      unsafe curl.curl_easy_strerror(code).map { unsafe String(cString: $0).lowercased() } ?? "no reason is known"
    throw Problem(
      code == CURLE_COULDNT_CONNECT ? Self.notConnected : words,
      code: code == CURLE_COULDNT_CONNECT || code == CURLE_SEND_ERROR ? Self.notAsked : nil)
  }
}

private final class Received: Redacted {
  private(set) var bytes: [UInt8] = []

  /// Takes a piece. Returning less than was given makes libcurl stop.
  @unsafe func take(_ more: UnsafeRawBufferPointer) -> Int {
    guard bytes.count + more.count <= DaemonClient.longestAnswer else { return 0 }
    unsafe bytes.append(contentsOf: more)
    return more.count
  }
}
