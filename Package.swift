// swift-tools-version: 6.3
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
    .library(name: "MediaTokenTesting", targets: ["MediaTokenTesting"]),
    .library(name: "MediaTokenHandover", targets: ["MediaTokenHandover"]),
    // For Tests/Fuzz and Tests/HTTPWitness: nothing in them is public.
    .library(name: "MediaTokenHTTP", targets: ["MediaTokenHTTP"]),
    .library(name: "MediaTokenFormats", targets: ["MediaTokenFormats"]),
    .executable(name: "mediatoken", targets: ["mediatoken"]),
    // Not the name of a program: they would be one file. deploy/install-library makes libmediatoken.so.0 of it.
    .library(name: "mediatoken-abi", type: .dynamic, targets: ["MediaTokenABI"]),
    .executable(name: "mediatokend", targets: ["mediatokend"]),
  ],
  targets: [
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    // Without pkg-config: libpq is loaded when it is needed; Swift packages may not take hiredis's flags, and jansson's name a
    // library where deploy/shipped.sh wants the archive.
    .systemLibrary(name: "CLibJansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CLibHiredis", providers: [.apt(["libhiredis-dev"])]),
    .systemLibrary(name: "CLibPQ", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLinux"),
    // The handler of SIGBUS, and main's arguments: the only C that is compiled.
    .target(name: "CMemoryGuard"),
    // The ground floor: bytes, system calls, clocks, threads, locks. What is above it asks Linux nothing by itself.
    .target(name: "MediaTokenSystem", dependencies: ["CLinux", "CMemoryGuard"], swiftSettings: swiftSettings),
    // The verdict: seven steps, in the folder Path. One use, in the folder Replay: the table of a host, a fleet of nodes.
    .target(
      name: "MediaToken",
      dependencies: ["MediaTokenSystem", "CLibCrypto", "CLibHiredis", "CLibPQ", "CLibXML2"],
      swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenIssuer", dependencies: ["MediaToken", "MediaTokenSystem", "CLibCrypto"],
      swiftSettings: swiftSettings),
    // For tests of applications: tokens, a clock, a replay memory, and whether one of their own keeps the rules.
    .target(
      name: "MediaTokenTesting", dependencies: ["MediaToken", "MediaTokenIssuer", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    // A verified token in, a CDN's own credential out; and the keys of ours that others must not read.
    .target(
      name: "MediaTokenHandover", dependencies: ["MediaToken", "MediaTokenSystem", "CLibCrypto"],
      swiftSettings: swiftSettings),
    // What programs read and write about tokens: JSON, lines of a batch, decision documents, explanations.
    .target(
      name: "MediaTokenFormats",
      dependencies: ["MediaToken", "MediaTokenSystem", "CLibJansson"],
      swiftSettings: swiftSettings
    ),
    // Options, help and error messages of both programs.
    .target(
      name: "MediaTokenCommandLine", dependencies: ["MediaToken", "MediaTokenFormats", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .target(name: "MediaTokenHTTP", dependencies: ["MediaTokenSystem"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenService",
      dependencies: [
        "MediaToken", "MediaTokenFormats", "MediaTokenHTTP", "MediaTokenHandover", "MediaTokenIssuer",
        "MediaTokenSystem",
      ],
      exclude: ["inspector.yaml", "openapi.yaml"],
      // The inspector's page is in the program itself.
      resources: [
        .embedInCode("Inspector/page.html"), .embedInCode("Inspector/inspector.css"),
        .embedInCode("Inspector/inspector.js"),
      ],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CMediaToken"),
    .target(
      name: "MediaTokenABI",
      dependencies: ["CMediaToken", "MediaToken", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatokend",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenFormats", "MediaTokenService", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatoken",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenFormats", "MediaTokenHTTP", "MediaTokenHandover",
        "MediaTokenIssuer", "MediaTokenService", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    // For scenarios and benchmarks alone: uses up tokens by their identities.
    .executableTarget(
      name: "spend",
      dependencies: ["MediaToken", "MediaTokenCommandLine", "MediaTokenService", "MediaTokenSystem"],
      path: "Tests/Proofs/Sources/spend", swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenABITests",
      dependencies: ["CMediaToken", "MediaToken", "MediaTokenABI", "MediaTokenIssuer"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenCommandLineTests",
      dependencies: ["MediaToken", "MediaTokenCommandLine"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenFormatsTests",
      dependencies: ["MediaToken", "MediaTokenFormats", "MediaTokenIssuer"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenHTTPTests", dependencies: ["MediaTokenHTTP", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenHandoverTests",
      dependencies: ["MediaToken", "MediaTokenHandover", "MediaTokenIssuer"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenIssuerTests", dependencies: ["MediaToken", "MediaTokenIssuer"], swiftSettings: swiftSettings),
    .testTarget(
      name: "ReplayMemoryTests",
      dependencies: ["MediaToken", "MediaTokenIssuer", "MediaTokenSystem"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenServiceTests",
      dependencies: [
        "MediaToken", "MediaTokenFormats", "MediaTokenHTTP", "MediaTokenHandover", "MediaTokenIssuer",
        "MediaTokenService", "MediaTokenSystem",
      ],
      swiftSettings: swiftSettings),
    .testTarget(name: "MediaTokenSystemTests", dependencies: ["MediaTokenSystem"], swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenTests",
      dependencies: [
        "MediaToken", "MediaTokenFormats", "MediaTokenIssuer", "MediaTokenSystem", "MediaTokenTesting",
        "CLibCrypto",
        "CLibXML2",
      ],
      swiftSettings: swiftSettings),
    // Manual pages, completions, the schema of the settings and tables of articles, made of the programs' own tables:
    // tools/reference has this test write them.
    .testTarget(
      name: "ReferenceTests",
      dependencies: [
        "MediaToken", "MediaTokenCommandLine", "MediaTokenFormats", "MediaTokenService", "mediatoken",
        "mediatokend",
      ],
      path: "tools/reference-generator", swiftSettings: swiftSettings),
  ]
)

// Unit tests are built all or none: MEDIATOKEN_TESTS has the names of those that are wanted, NAME=FILE,FILE of some files of one.
if let wanted = Context.environment["MEDIATOKEN_TESTS"]?.split(separator: " ").map({ $0.split(separator: "=") }) {
  package.targets.removeAll { target in target.isTest && !wanted.contains { $0[0] == target.name } }
  for files in wanted where files.count == 2 {
    package.targets.first { $0.name == files[0] }?.sources = files[1].split(separator: ",").map(String.init)
  }
}
