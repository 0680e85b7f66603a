/* Stand-in for tests: the interface that Adobe's public documentation describes, written from that alone. Not Adobe's code. */
package com.adobe.tve.crypto;

import java.io.InputStream;
import java.security.KeyStore;
import java.security.PublicKey;

public class SignatureVerificationCredential {
  public final PublicKey key;

  public SignatureVerificationCredential(InputStream stream, String password, String type) throws Exception {
    KeyStore keystore = KeyStore.getInstance(type);
    keystore.load(stream, password.toCharArray());
    key = keystore.getCertificate(keystore.aliases().nextElement()).getPublicKey();
  }
}
