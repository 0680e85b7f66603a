/* Stand-in for tests: the interface that Adobe's public documentation describes, written from that alone. Not Adobe's code. */
package com.adobe.entitlement.verifier;

import com.adobe.tve.crypto.SignatureVerificationCredential;

public class CryptoDataHolder {
  SignatureVerificationCredential certificate;

  public void setCertificateInfo(SignatureVerificationCredential certificate) {
    this.certificate = certificate;
  }
}
