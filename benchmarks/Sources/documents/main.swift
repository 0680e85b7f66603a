// What the most laborious resource documents cost: see BENCHMARKS.md, "The most laborious documents".
//
//   documents
//
// For each kind of document one line: microseconds of the processor to read one and compare it with another that says the
// same, the median of many; or to find out that it is not a document.

import Glibc
import MediaToken

let longest = Limits.receivedBytes - 1200  // the rest of a token
let items = Limits.documentElements - 3

/// As long as a token lets it be, with this unit as often as it fits, but at most `count` times.
func document(_ unit: String, atMost count: Int = .max, _ end: String = "</channel></rss>") -> String {
  let begin = "<rss version='2.0' xmlns:m='http://search.yahoo.com/mrss/'><channel><title>T</title>"
  let room = longest - begin.utf8.count - end.utf8.count
  return begin + String(repeating: unit, count: min(count, room / unit.utf8.count)) + end
}

/// A text of so many bytes at most, which is this unit again and again.
func text(_ unit: String, _ bytes: Int) -> String { String(repeating: unit, count: bytes / unit.utf8.count) }

let share = longest / items - 40
let kinds: [(String, String)] = [
  ("items", document("<item/>", atMost: items)),
  ("items of long guids", document("<item><guid>\(text("g", 2 * share))</guid></item>", atMost: items / 2)),
  (
    "items of three",
    document("<item><title>t</title><guid>g</guid><m:rating>r</m:rating></item>", atMost: items / 4)
  ),
  ("ratings with schemes", document("<m:rating scheme='\(text("s", share))'>r</m:rating>", atMost: items)),
  ("references", document("<m:rating>\(text("&#9;", share))</m:rating>", atMost: items)),
  ("references in schemes", document("<m:rating scheme='\(text("&amp;", share))'/>", atMost: items)),
  ("CDATA sections", document("<m:rating>\(text("<![CDATA[a]]>", 4000))</m:rating>")),
  ("four-byte characters", document("<m:rating>\(text("😀", share))</m:rating>", atMost: items)),
  ("closing brackets", document("<m:rating>\(text("]", share))</m:rating>", atMost: items)),
  ("namespaces", document("<item \((0..<8).map { "xmlns:a\($0)='u:'" }.joined(separator: " "))/>", atMost: items)),
  (
    "relative namespaces",
    document("<item \((0..<8).map { "xmlns:a\($0)='%'" }.joined(separator: " "))/>", atMost: items)
  ),
  (
    "prefixes of nothing",
    document("<x:rating \((0..<8).map { "a\($0):b='%'" }.joined(separator: " "))/>", atMost: items)
  ),
  (
    "one prefix of nothing, relative namespaces",
    document("<x:rating \((0..<8).map { "xmlns:a\($0)='%'" }.joined(separator: " "))/>", atMost: items)
  ),
  ("carriage returns", document("\r\n")),
  ("white space", document(" ")),
  ("items beyond the limit", document("<item/>")),
  ("no end", document("<item/>", atMost: items, "")),
  ("an unknown reference, at the end", document(" ", "&x;</channel></rss>")),
]

for (name, spelled) in kinds {
  var times: [Int] = []
  var isDocument = false
  for _ in 0..<200 {
    // In microseconds, by POSIX; what else the machine does is not counted.
    let start = clock()
    if let one = try? ResourceDocument(spelled), let other = try? ResourceDocument(spelled) {
      isDocument = one == other
    }
    times.append(clock() - start)
  }
  times.sort()
  // Two were read, of which a verification reads the token's alone.
  let microseconds = times[times.count / 2] / (isDocument ? 2 : 1)
  print("\(name): \(spelled.utf8.count) bytes, \(isDocument ? "a document" : "none"), \(microseconds) µs")
}
