// swift-tools-version: 6.2
import PackageDescription

/// One set of rules for every Swift target: memory-unsafe expressions are marked, a warning is an error.
let swiftSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  // `@_lifetime`: the steps pass views of the received bytes, never copies and never pointers.
  .enableExperimentalFeature("Lifetimes"),
]

let package = Package(
  name: "mediatoken",
  products: [
    .library(name: "MediaToken", targets: ["MediaToken"]),
    .library(name: "MediaTokenReplay", targets: ["MediaTokenReplay"]),
    .library(name: "MediaTokenFleet", targets: ["MediaTokenFleet"]),
    .library(name: "MediaTokenMemories", targets: ["MediaTokenMemories"]),
    .library(name: "MediaTokenIssuer", targets: ["MediaTokenIssuer"]),
    .library(name: "MediaTokenHandover", targets: ["MediaTokenHandover"]),
    // For Tests/Fuzz and Tests/HTTPWitness: nothing in it is public.
    .library(name: "MediaTokenHTTP", targets: ["MediaTokenHTTP"]),
    .executable(name: "mediatoken", targets: ["mediatoken"]),
    // Not the name of a program: they would be one file. deploy/install-library makes libmediatoken.so.0 of it.
    .library(name: "mediatoken-abi", type: .dynamic, targets: ["MediaTokenABI"]),
    .executable(name: "mediatokend", targets: ["mediatokend"]),
  ],
  targets: [
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    // Without pkg-config, whose flags nothing needs: Swift packages may not take hiredis's, nor libcurl's on Debian 13, and
    // jansson's name a library where deploy/shipped.sh wants the archive.
    .systemLibrary(name: "CLibCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CLibJansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CLibHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CLinux"),
    // The handler of SIGBUS: the only C that is compiled.
    .target(name: "CMemoryGuard"),
    // The ground floor: bytes, system calls, clocks, threads, locks. What is above it asks Linux nothing by itself.
    .target(name: "MediaTokenSystem", dependencies: ["CLinux", "CMemoryGuard"], swiftSettings: swiftSettings),
    .target(
      name: "MediaToken", dependencies: ["MediaTokenSystem", "CLibCrypto", "CLibXML2"], swiftSettings: swiftSettings
    ),
    .target(
      name: "MediaTokenMemories",
      dependencies: ["MediaToken", "MediaTokenFleet", "MediaTokenReplay", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenFleet", dependencies: ["CLibHiredis", "MediaToken", "MediaTokenReplay", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenReplay", dependencies: ["MediaToken", "MediaTokenSystem"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenIssuer", dependencies: ["MediaToken", "MediaTokenSystem", "CLibCrypto"],
      swiftSettings: swiftSettings),
    // Keys of ours that others must not read, and what is made with them.
    .target(
      name: "MediaTokenSecrets", dependencies: ["MediaToken", "MediaTokenSystem", "CLibCrypto"],
      swiftSettings: swiftSettings),
    // A verified token in, a CDN's own credential out.
    .target(
      name: "MediaTokenHandover",
      dependencies: ["MediaToken", "MediaTokenSecrets", "MediaTokenSystem", "CLibCrypto"],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenJSON", dependencies: ["MediaTokenSystem", "CLibJansson"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenBatch", dependencies: ["MediaToken", "MediaTokenJSON", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenDecision", dependencies: ["MediaToken", "MediaTokenJSON", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    // What each step of a verification expected and found: for the command line and for the daemon's inspector.
    .target(
      name: "MediaTokenExplain",
      dependencies: [
        "MediaToken", "MediaTokenDecision", "MediaTokenFleet", "MediaTokenJSON", "MediaTokenReplay",
        "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenCommandLine", dependencies: ["MediaToken", "MediaTokenSystem"], swiftSettings: swiftSettings),
    // What both programs share besides the command line itself.
    .target(
      name: "MediaTokenPrograms",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenFleet", "MediaTokenMemories", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    // Manual pages, completions and the schema of the settings, made of the tables; tools/reference runs it.
    .target(
      name: "MediaTokenReference", dependencies: ["MediaTokenCommandLine", "MediaTokenJSON", "MediaTokenService"],
      swiftSettings: swiftSettings),
    .target(name: "MediaTokenHTTP", dependencies: ["MediaTokenSystem"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenService",
      dependencies: [
        "MediaToken", "MediaTokenBatch", "MediaTokenDecision", "MediaTokenExplain", "MediaTokenFleet",
        "MediaTokenHTTP", "MediaTokenHandover", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenMemories",
        "MediaTokenReplay", "MediaTokenSecrets", "MediaTokenSystem",
      ],
      exclude: ["inspector.yaml", "openapi.yaml"],
      // The inspector's page is in the program itself.
      resources: [
        .embedInCode("Inspector/page.html"), .embedInCode("Inspector/inspector.css"),
        .embedInCode("Inspector/believing.js"), .embedInCode("Inspector/inspector.js"),
      ],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CMediaToken"),
    .target(
      name: "MediaTokenABI",
      dependencies: [
        "CMediaToken", "MediaToken", "MediaTokenFleet", "MediaTokenMemories", "MediaTokenReplay",
        "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatokend",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenFleet", "MediaTokenMemories", "MediaTokenPrograms",
        "MediaTokenService", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatoken",
      dependencies: [
        "CLibCurl", "MediaToken", "MediaTokenBatch", "MediaTokenCommandLine", "MediaTokenDecision",
        "MediaTokenExplain", "MediaTokenFleet", "MediaTokenHandover", "MediaTokenIssuer", "MediaTokenJSON",
        "MediaTokenMemories", "MediaTokenPrograms", "MediaTokenReplay", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenABITests",
      dependencies: ["CMediaToken", "MediaToken", "MediaTokenABI", "MediaTokenIssuer", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenCommandLineTests",
      dependencies: ["MediaToken", "MediaTokenCommandLine", "MediaTokenMemories", "MediaTokenPrograms"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenExplainTests",
      dependencies: [
        "MediaToken", "MediaTokenDecision", "MediaTokenExplain", "MediaTokenIssuer", "MediaTokenJSON",
        "MediaTokenReplay",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenFleetTests",
      dependencies: ["MediaToken", "MediaTokenFleet", "MediaTokenReplay", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenHandoverTests",
      dependencies: ["MediaToken", "MediaTokenHandover", "MediaTokenIssuer", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenHTTPTests", dependencies: ["MediaTokenHTTP", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenIssuerTests", dependencies: ["MediaToken", "MediaTokenIssuer"], swiftSettings: swiftSettings),
    .testTarget(name: "MediaTokenJSONTests", dependencies: ["MediaTokenJSON"], swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenBatchTests",
      dependencies: ["MediaToken", "MediaTokenBatch", "MediaTokenIssuer", "MediaTokenJSON"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenDecisionTests",
      dependencies: ["MediaToken", "MediaTokenDecision", "MediaTokenIssuer", "MediaTokenJSON"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenMemoriesTests",
      dependencies: ["MediaToken", "MediaTokenFleet", "MediaTokenMemories", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenReferenceTests",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenPrograms", "MediaTokenReference", "MediaTokenService",
        "mediatoken", "mediatokend",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenReplayTests",
      dependencies: ["MediaToken", "MediaTokenIssuer", "MediaTokenReplay", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenServiceTests",
      dependencies: [
        "MediaToken", "MediaTokenBatch", "MediaTokenDecision", "MediaTokenFleet", "MediaTokenHandover",
        "MediaTokenHTTP", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenMemories", "MediaTokenReplay",
        "MediaTokenService", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .testTarget(name: "MediaTokenSystemTests", dependencies: ["MediaTokenSystem"], swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenTests",
      dependencies: [
        "MediaToken", "MediaTokenExplain", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenSystem", "CLibCrypto",
        "CLibXML2",
      ],
      swiftSettings: swiftSettings),
  ]
)
