/// A rule of the scripts or the host that is left out. Those of the tally are patches of the real one, beside `run`.
enum Flaw: String, CaseIterable {
  case ownerIgnored, ownerIsProcess, ownerIsConstant, adoptedData
  case noFloor, floorWithoutTolerance, floorForTrueClocks, floorUnderOldHigh, floorBySeatAlone, floorByHostAlone
  case noAhead, bucketMadeAgain, unspend, seatsWithoutNumber, fleetsWithoutDigest, keptWordShared
}
