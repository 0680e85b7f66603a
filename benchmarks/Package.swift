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

/// What is measured is for mediatoken's own modules, so these programs say that they are some; they are built as ever.
func measuring(_ name: String, _ parts: Target.Dependency..., isProgram: Bool = true) -> Target {
  let dependencies = parts + [.product(name: "MediaToken", package: "mediatoken")]
  let settings = swiftSettings + [.unsafeFlags(["-package-name", packageName])]
  return isProgram
    ? .executableTarget(name: name, dependencies: dependencies, packageAccess: false, swiftSettings: settings)
    : .target(name: name, dependencies: dependencies, packageAccess: false, swiftSettings: settings)
}

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "mediatoken", path: "..")],
  targets: [
    .target(name: "CFloor", linkerSettings: [.linkedLibrary("crypto")]),
    .target(name: "CContender"),
    .executableTarget(name: "floor", dependencies: ["CContender", "CFloor"]),
    .target(name: "CAllocations"),
    measuring("BenchmarkTokens", isProgram: false),
    measuring("verification", "BenchmarkTokens"),
    measuring("steps", "BenchmarkTokens"),
    measuring("documents"),
    measuring("verify-allocations", "BenchmarkTokens", "CAllocations"),
    measuring("spends", "BenchmarkTokens"),
    measuring("node-claims", "BenchmarkTokens"),
    // As an application would: with what is public.
    .executableTarget(
      name: "async-fleet",
      dependencies: [
        .product(name: "MediaToken", package: "mediatoken"),
        .product(name: "MediaTokenTesting", package: "mediatoken"),
      ],
      swiftSettings: swiftSettings),
    .executableTarget(name: "through-c", dependencies: ["CContender"], linkerSettings: [.linkedLibrary("dl")]),
    .executableTarget(name: "delaying-peer"),
    .executableTarget(name: "redis-spends", dependencies: ["CContender"]),
    .executableTarget(
      name: "daemon-load", dependencies: ["CContender"], linkerSettings: [.linkedLibrary("m")]),
    .target(name: "CServing"),
    .executableTarget(name: "bare-http", dependencies: ["CServing"]),
  ]
)
