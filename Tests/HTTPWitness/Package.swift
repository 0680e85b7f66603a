// swift-tools-version: 6.2
import PackageDescription

/// The program that reads streams with our own reader, for `compare.py` to read them with others. `run` builds it with
/// -enable-testing, because what it drives is not public.
let package = Package(
  name: "mediatoken-http-witness",
  dependencies: [.package(name: "mediatoken", path: "../..")],
  targets: [
    .executableTarget(
      name: "streams",
      dependencies: [.product(name: "MediaTokenHTTP", package: "mediatoken")],
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)])
  ]
)
