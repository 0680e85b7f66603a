// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "server",
  dependencies: [.package(name: "mediatoken", path: "../..")],
  targets: [.executableTarget(name: "server", dependencies: [.product(name: "MediaToken", package: "mediatoken")])])
