/* Stand-in for tests: the interface that Adobe's public documentation describes, written from that alone. Not Adobe's code. */
package com.adobe.entitlement.verifier;

public interface ITokenVerifierFactory {
  ITokenVerifier getInstance(String requestorID, String token, CryptoDataHolder cryptoData);
}
