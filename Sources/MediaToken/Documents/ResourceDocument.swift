/// A resource that is a Media RSS document, as far as it says what is to be played (<doc:ResourceDocuments>).
///
/// Two are equal if channel title, items, guids and ratings are, however they are spelled: white space between elements, the
/// order of elements and attributes, quotes, escapes, CDATA sections and prefixes make no difference.
public struct ResourceDocument: Sendable, Hashable {
  /// The title of its channel, decoded; may be empty.
  public let channelTitle: ExactText
  /// The ratings of the channel itself.
  let channelRatings: Bag<Rating>
  /// The items below the channel.
  let items: Bag<Item>

  init(channelTitle: ExactText, channelRatings: Bag<Rating>, items: Bag<Item>) {
    (self.channelTitle, self.channelRatings, self.items) = (channelTitle, channelRatings, items)
  }

  /// The number of its items.
  public var itemCount: Int { items.count }

  /// An `item`. A part that is not there is nil, and not equal to an empty one.
  struct Item: Sendable, Hashable {
    var title: ExactText?
    var guid: GUID?
    var ratings = Bag<Rating>()
  }

  /// A `guid` with its attribute `isPermaLink`, which has no default here.
  struct GUID: Sendable, Hashable {
    let text: ExactText
    let isPermaLink: Bool?
  }

  /// A `media:rating` with its attribute `scheme`, which has no default here.
  struct Rating: Sendable, Hashable {
    let scheme: ExactText?
    let text: ExactText
  }
}

/// Things in no particular order, some of which may be equal.
struct Bag<Element: Hashable & Sendable>: Sendable, Hashable {
  private var counts: [Element: Int] = [:]

  init() {}

  init(_ elements: some Sequence<Element>) { for element in elements { insert(element) } }

  var count: Int { counts.values.reduce(0, +) }

  mutating func insert(_ element: Element) { counts[element, default: 0] += 1 }

  func map<Other>(_ transform: (Element) -> Other) -> Bag<Other> {
    var bag = Bag<Other>()
    for (element, count) in counts { bag.counts[transform(element), default: 0] += count }
    return bag
  }

  func joining<Other>(_ bag: (Element) -> Bag<Other>) -> Bag<Other> {
    var all = Bag<Other>()
    for (element, count) in counts {
      for (other, times) in bag(element).counts { all.counts[other, default: 0] += count * times }
    }
    return all
  }
}
