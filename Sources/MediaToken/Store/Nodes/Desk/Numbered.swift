/// Elements under consecutive numbers. Each keeps its number until it is removed.
struct Numbered<Element> {
  private var places: [Element?] = []
  /// The places at the front that are empty.
  private var passed = 0
  /// The number of the first element; ``end`` if it is empty.
  private(set) var first: UInt64
  private(set) var count = 0

  init(from first: UInt64 = 0) { self.first = first }

  /// Room that is empty is given back from here on.
  private static var mostPassed: Int { 1024 }

  /// The number of the next element.
  var end: UInt64 { first &+ UInt64(places.count - passed) }

  mutating func append(_ element: Element) {
    places.append(element)
    count += 1
  }

  subscript(number: UInt64) -> Element? {
    _read { yield number >= first && number < end ? places[passed + Int(number - first)] : nil }
  }

  /// Changes an element in its place. Nil if it is not there.
  mutating func change<Value>(_ number: UInt64, _ body: (inout Element) -> Value) -> Value? {
    guard number >= first, number < end else { return nil }
    let place = passed + Int(number - first)
    guard var element = places[place].take() else { return nil }
    defer { places[place] = element }
    return body(&element)
  }

  mutating func remove(_ number: UInt64) -> Element? {
    guard number >= first, number < end, let element = places[passed + Int(number - first)].take() else {
      return nil
    }
    count -= 1
    while passed < places.count, places[passed] == nil {
      passed += 1
      first &+= 1
    }
    if passed == places.count {
      places.removeAll(keepingCapacity: true)
      passed = 0
    } else if passed >= Self.mostPassed, passed * 2 > places.count {
      places.removeFirst(passed)
      passed = 0
    }
    return element
  }

  /// In their order.
  func numbers(where isMeant: (Element) -> Bool) -> [UInt64] {
    (passed..<places.count).compactMap { place in
      places[place].map(isMeant) == true ? first &+ UInt64(place - passed) : nil
    }
  }

  /// `UInt64.max` if it is empty.
  func least(_ value: (Element) -> UInt64) -> UInt64 {
    places.lazy.dropFirst(passed).reduce(.max) { least, element in min(least, element.map(value) ?? .max) }
  }
}
