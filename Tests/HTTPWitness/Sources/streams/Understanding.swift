@testable import MediaTokenHTTP

/// What the reader understands of a whole stream: `RequestHead` on one request after another, as `WorkerLoop+Reading` goes
/// through the bytes of a connection.
struct Understanding: Equatable {
  /// The requests whose heads are whole. All but the last are whole.
  private(set) var requests: [UnderstoodRequest] = []
  private(set) var end = End.nothingLeft
  /// Where the bytes begin that belong to no whole request.
  private(set) var taken = 0

  /// Why no more requests follow.
  enum End: Equatable {
    /// Every byte belongs to a request.
    case nothingLeft
    /// A request has begun and is not whole.
    case incomplete
    /// The last request ends the connection.
    case connectionEnds
    /// If it was a request for HEAD, its answer has no body.
    case refused(RequestRefusal, isHEAD: Bool)
  }

  /// Bytes of a head and of a body at most.
  struct Limits {
    var head = 16 * 1024
    var body = 64 * 1024
  }

  init(of stream: [UInt8], _ limits: Limits = Limits()) {
    var head = RequestHead()
    while taken < stream.count {
      head.reset()
      switch head.read(stream.span.extracting(taken...), limit: limits.head) {
      case .incomplete:
        end = .incomplete
        return
      case .refused(let refusal):
        end = .refused(refusal, isHEAD: head.isHEAD)
        return
      case .complete: break
      }
      guard head.bodyBytes <= limits.body else {
        end = .refused(.bodyTooLarge(limit: limits.body), isHEAD: head.isHEAD)
        return
      }
      let request = UnderstoodRequest(head, at: taken, of: stream.count)
      requests.append(request)
      guard request.isWhole else {
        end = .incomplete
        return
      }
      taken = request.body.upperBound
      if request.endsConnection {
        end = .connectionEnds
        return
      }
    }
  }

  /// The requests that are answered.
  var wholeRequests: ArraySlice<UnderstoodRequest> {
    requests.last?.isWhole == false ? requests.dropLast() : requests[...]
  }
}

/// One request: places in its stream.
struct UnderstoodRequest: Equatable {
  let start: Int
  let method: Range<Int>
  let target: Range<Int>
  let fields: [(name: Range<Int>, value: Range<Int>)]
  /// As much of the body as has come.
  let body: Range<Int>
  let isWhole: Bool
  let endsConnection: Bool
  let expectsContinue: Bool
  let isHEAD: Bool

  init(_ head: borrowing RequestHead, at start: Int, of count: Int) {
    self.start = start
    method = head.method + start
    target = head.target.place + start
    fields = head.fields.map { (Range($0.name) + start, Range($0.value) + start) }
    let bodyStart = start + head.byteCount
    isWhole = count - bodyStart >= head.bodyBytes
    body = bodyStart..<(isWhole ? bodyStart + head.bodyBytes : count)
    endsConnection = head.endsConnection
    expectsContinue = head.expectsContinue
    isHEAD = head.isHEAD
  }

  static func == (a: Self, b: Self) -> Bool {
    a.start == b.start && a.method == b.method && a.target == b.target && a.fields.elementsEqual(b.fields, by: ==)
      && a.body == b.body && a.isWhole == b.isWhole && a.endsConnection == b.endsConnection
      && a.expectsContinue == b.expectsContinue && a.isHEAD == b.isHEAD
  }
}

extension Range<Int> {
  static func + (range: Self, offset: Int) -> Self { range.lowerBound + offset..<range.upperBound + offset }
}
