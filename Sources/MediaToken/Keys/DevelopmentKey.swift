/// The key pair in the repository's `keys` folder, which is for development only: its private part is public.
public enum DevelopmentKey {
  /// The fingerprint of `keys/development.pem`, by which programs warn of it or refuse it.
  public static let fingerprint = Fingerprint(
    words: 0xe7a4_68d2_62e0_3580, 0x9b1c_6c8a_a0a5_8ebc, 0x38ed_5023_c645_22b5, 0x7688_a4a3_cfac_8b4c)
}
