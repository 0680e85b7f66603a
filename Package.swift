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
    .library(name: "MediaTokenIssuer", targets: ["MediaTokenIssuer"]),
    .executable(name: "mediatoken", targets: ["mediatoken"]),
    // Not the name of a program: they would be one file. deploy/install-library makes libmediatoken.so.0 of it.
    .library(name: "mediatoken-abi", type: .dynamic, targets: ["MediaTokenABI"]),
    .executable(name: "mediatokend", targets: ["mediatokend"]),
  ],
  targets: [
    .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CLibJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "CLibMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .target(name: "MediaToken", dependencies: ["CLibCrypto", "CLibXML2"], swiftSettings: swiftSettings),
    .systemLibrary(name: "CLinux"),
    .target(name: "MediaTokenReplay", dependencies: ["MediaToken", "CLinux"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenIssuer", dependencies: ["MediaToken", "CLibCrypto"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenJSON", dependencies: ["MediaToken", "SystemCalls", "CLibJansson"],
      swiftSettings: swiftSettings),
    .target(name: "SystemCalls", dependencies: ["MediaToken"], swiftSettings: swiftSettings),
    .target(
      name: "CommandLineOptions", dependencies: ["MediaToken", "SystemCalls"], swiftSettings: swiftSettings),
    .target(
      name: "MediaTokenService",
      dependencies: [
        "MediaToken", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenReplay", "SystemCalls",
        "CLibMicroHTTPD", "CLinux",
      ],
      swiftSettings: swiftSettings),
    .systemLibrary(name: "CMediaToken"),
    .target(
      name: "MediaTokenABI", dependencies: ["CMediaToken", "MediaToken", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatokend",
      dependencies: ["CommandLineOptions", "MediaToken", "MediaTokenReplay", "MediaTokenService", "SystemCalls"],
      swiftSettings: swiftSettings),
    .executableTarget(
      name: "mediatoken",
      dependencies: [
        "CLibCurl", "CommandLineOptions", "MediaToken", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenReplay",
        "SystemCalls",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenABITests",
      dependencies: ["CMediaToken", "MediaToken", "MediaTokenABI", "MediaTokenIssuer", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenIssuerTests", dependencies: ["MediaToken", "MediaTokenIssuer"], swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenJSONTests", dependencies: ["MediaToken", "MediaTokenIssuer", "MediaTokenJSON"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenReplayTests", dependencies: ["MediaToken", "MediaTokenIssuer", "MediaTokenReplay"],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenServiceTests",
      dependencies: [
        "MediaToken", "MediaTokenIssuer", "MediaTokenJSON", "MediaTokenReplay", "MediaTokenService", "SystemCalls",
      ],
      swiftSettings: swiftSettings),
    .testTarget(
      name: "MediaTokenTests", dependencies: ["MediaToken", "MediaTokenIssuer", "CLibCrypto", "CLibXML2"],
      swiftSettings: swiftSettings),
  ]
)
