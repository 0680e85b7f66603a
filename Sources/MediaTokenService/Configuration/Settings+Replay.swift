internal import MediaToken
internal import MediaTokenReplay

extension Settings {
  static let replay: SettingSection<Configuration.Replay> = SettingSection(
    Configuration.blank.replay,
    [
      Setting(
        "address", \.address, .replayAddress, required: true,
        "shared:PATH, a table of this host; shared:PATH?capacity=N, made if it is missing; redis:FLEET@SEAT,SEAT,…, seats that hosts share; or none:, which enforces nothing"
      ),
      Setting(
        "retryWindowMilliseconds", \.retryWindowMilliseconds,
        .integer(Limits.retryWindows, .milliseconds),
        "for how long a repeated request gets its first answer; whole seconds count; needs requestIDHeader, and not none:"
      ),
      Setting("fleet", \.fleet, .section(fleet), "what the seats of a fleet are asked with; only with redis:"),
    ]
  ) { replay, file throws(ConfigurationError) in
    guard replay.address != .none || replay.retryWindowMilliseconds == 0 else {
      throw file.error(
        \.retryWindowMilliseconds, "none: remembers nothing, so it has no retry window; leave it out")
    }
    guard replay.isFleet || !file.has(\.fleet) else {
      throw file.error(
        \.fleet,
        "\(Settings.file.key(\.replay.address)) is not a fleet's; write redis:FLEET@SEAT,SEAT,… there, or leave this out"
      )
    }
  }

  private static let fleet: SettingSection<FleetSettings> = SettingSection(
    .standard,
    [
      Setting(
        "credentials", \.credentialsFile, .filePath, without: "they ask for none",
        "the file with users and passwords of a fleet's seats, mode 0600 or 0640; a reload reads what is in it again"
      ),
      Setting(
        "deadlineMilliseconds", \.deadlineMilliseconds, .integer(FleetOptions.deadlines, .milliseconds),
        "how long a token waits for a fleet's votes; less than a request may take"),
      Setting(
        "localTable", \.localTable, .localTable, without: "none",
        "a table of this host as a second lock under a fleet"),
    ])
}
