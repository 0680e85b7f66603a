// swift-tools-version: 6.2
import PackageDescription

/// One program per proof of the replay memory. The scripts next to this file build and run them, with -enable-testing,
/// because what they prove is not public.
func proof(_ name: String, using parts: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "MediaToken", package: "mediatoken")
    ] + parts,
    swiftSettings: [.swiftLanguageMode(.v6)])
}

let package = Package(
  name: "mediatoken-proofs",
  dependencies: [.package(name: "mediatoken", path: "../..")],
  targets: [
    .target(name: "CTrace"),
    .target(
      name: "ProofKit",
      dependencies: [
        .product(name: "MediaToken", package: "mediatoken")
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    proof("ProofRace", using: ["ProofKit"]),
    proof("ProofKill", using: ["ProofKit"]),
    proof("ProofSingleStep", using: ["ProofKit", "CTrace"]),
    proof("ProofPowerLoss", using: ["ProofKit"]),
    // No proof: a host of Tests/Scenarios/stores.
    proof("StoreHost", using: ["ProofKit", .product(name: "MediaTokenTesting", package: "mediatoken")]),
  ]
)
