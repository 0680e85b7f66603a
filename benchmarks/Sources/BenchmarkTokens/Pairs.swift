/// How many pairs one comparison takes.
public let pairs = 31

/// Runs both in turn and prints the ratio of their times. `whole` is given the number of its pair.
public func compare(_ name: String, floor: () -> Void, whole: (Int) -> Void) {
  var (ratios, floors): ([Double], [Double]) = ([], [])
  for pair in 0..<pairs {
    let bare = seconds(floor)
    ratios.append(seconds { whole(pair) } / bare)
    floors.append(bare)
  }
  let sorted = ratios.sorted()
  func three(_ value: Double) -> String { String(Double(Int(value * 1000 + 0.5)) / 1000) }
  print(
    "\(name)  ratio median \(three(median(ratios))) (\(three(sorted[3]))...\(three(sorted[27])))",
    " floors \(Int(median(floors) * 1e6)) µs a round")
}

public func seconds(_ body: () -> Void) -> Double {
  let elapsed = ContinuousClock().measure(body).components
  return Double(elapsed.seconds) + Double(elapsed.attoseconds) * 1e-18
}

public func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
