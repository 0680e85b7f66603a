// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

/// The name by which mediatoken's modules know each other: SwiftPM makes it of the folder of the checkout.
let packageName = {
  let folder = Context.packageDirectory.split(separator: "/").dropLast().last!.lowercased()
  let name = folder.hasSuffix(".git") ? folder.dropLast(4) : folder[...]
  return String(
    String.UnicodeScalarView(
      name.unicodeScalars.enumerated().map { index, scalar in
        switch scalar {
        case "a"..."z", "_", "\u{80}"...: scalar
        case "0"..."9" where index > 0: scalar
        default: "_"
        }
      }))
}()

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "mediatoken", path: "..")],
  targets: [
    .target(name: "CFloor", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CContender"),
    .executableTarget(name: "floor", dependencies: ["CContender", "CFloor"]),
    .target(
      name: "BenchmarkTokens",
      dependencies: [
        .product(name: "MediaToken", package: "mediatoken"),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "verification",
      dependencies: ["BenchmarkTokens", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "steps",
      dependencies: ["BenchmarkTokens", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "documents", dependencies: [.product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .target(name: "CAllocations"),
    .executableTarget(
      name: "verify-allocations",
      dependencies: ["BenchmarkTokens", "CAllocations", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(name: "through-c", dependencies: ["CContender"], linkerSettings: [.linkedLibrary("dl")]),
    .executableTarget(
      name: "spends",
      dependencies: [
        "BenchmarkTokens", .product(name: "MediaToken", package: "mediatoken"),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "seat-claims",
      dependencies: [
        "BenchmarkTokens", .product(name: "MediaToken", package: "mediatoken"),
      ],
      // A seat's connections are for mediatoken's own modules, so this one says that it is one; they are built as ever.
      packageAccess: false,
      swiftSettings: swiftSettings + [.unsafeFlags(["-package-name", packageName])]),
    .executableTarget(name: "delaying-peer"),
    .executableTarget(name: "redis-spends", dependencies: ["CContender"]),
    .executableTarget(
      name: "daemon-load", dependencies: ["CContender"], linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CServing"),
    .executableTarget(name: "bare-http", dependencies: ["CServing"]),
  ]
)
