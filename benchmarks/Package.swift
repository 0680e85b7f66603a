// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "mediatoken", path: "..")],
  targets: [
    .target(name: "CFloor", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CContender"),
    .executableTarget(name: "floor", dependencies: ["CContender", "CFloor"]),
    .executableTarget(
      name: "verification",
      dependencies: ["BenchmarkTokens", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .target(name: "CAllocations"),
    .target(
      name: "BenchmarkTokens", dependencies: [.product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "verify-cost",
      dependencies: [
        "BenchmarkTokens", "CFloor", .product(name: "MediaToken", package: "mediatoken"),
        .product(name: "MediaTokenIssuer", package: "mediatoken"),
        .product(name: "MediaTokenReplay", package: "mediatoken"),
      ],
      swiftSettings: swiftSettings),
    .target(name: "CThroughC", linkerSettings: [.linkedLibrary("dl")]),
    .executableTarget(
      name: "c-cost",
      dependencies: ["BenchmarkTokens", "CThroughC", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "verify-allocations",
      dependencies: ["BenchmarkTokens", "CAllocations", .product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "library-rate", dependencies: [.product(name: "MediaToken", package: "mediatoken")],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "replay-rate",
      dependencies: [
        .product(name: "MediaToken", package: "mediatoken"), .product(name: "MediaTokenReplay", package: "mediatoken"),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(name: "redis-rate"),
    .executableTarget(
      name: "daemon-load", dependencies: ["CContender"], linkerSettings: [.linkedLibrary("m")]),
  ]
)
