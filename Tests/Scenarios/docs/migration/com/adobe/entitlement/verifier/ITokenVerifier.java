/* Stand-in for tests: the interface that Adobe's public documentation describes, written from that alone. Not Adobe's code. */
package com.adobe.entitlement.verifier;

public interface ITokenVerifier {
  enum eReturnValue {
    VALID_TOKEN, INVALID_TOKEN_FORMAT, INVALID_SIGNATURE, TOKEN_EXPIRED, INVALID_RESOURCE_ID, ERROR_UNKNOWN
  }

  eReturnValue isValid(String resourceID);
}
