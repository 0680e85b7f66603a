/* Stand-in for tests: the interface that Adobe's public documentation describes, written from that alone. Not Adobe's code. */
package com.adobe.entitlement.verifier;

import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.Signature;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Knows production's form alone, and no bound on a token's life. It throws for a token that holds THROW. */
public class SimpleTokenPKISignatureVerifierFactory implements ITokenVerifierFactory {
  private static final Pattern TOKEN = Pattern.compile("<signatureInfo>([^<]*)<signatureInfo>(.*)", Pattern.DOTALL);
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss xx");

  @Override
  public ITokenVerifier getInstance(String requestorID, String token, CryptoDataHolder cryptoData) {
    return resourceID -> {
      if (token.contains("THROW")) throw new IllegalStateException(token);
      try {
        return verdict(token, resourceID, cryptoData.certificate.key);
      } catch (Exception problem) {
        return ITokenVerifier.eReturnValue.INVALID_TOKEN_FORMAT;
      }
    };
  }

  private static ITokenVerifier.eReturnValue verdict(String token, String resourceID, PublicKey key) throws Exception {
    Matcher parts = TOKEN.matcher(token);
    if (!parts.matches()) return ITokenVerifier.eReturnValue.INVALID_TOKEN_FORMAT;
    Signature signature = Signature.getInstance("SHA256withRSA");
    signature.initVerify(key);
    signature.update(parts.group(2).getBytes(StandardCharsets.UTF_8));
    if (!signature.verify(Base64.getDecoder().decode(parts.group(1)))) {
      return ITokenVerifier.eReturnValue.INVALID_SIGNATURE;
    }
    long issued = OffsetDateTime.parse(field("issueTime", token), TIME).toInstant().toEpochMilli();
    if (System.currentTimeMillis() >= issued + Long.parseLong(field("ttl", token))) {
      return ITokenVerifier.eReturnValue.TOKEN_EXPIRED;
    }
    boolean isFor = resourceID == null || resourceID.equals(field("resourceID", token));
    return isFor ? ITokenVerifier.eReturnValue.VALID_TOKEN : ITokenVerifier.eReturnValue.INVALID_RESOURCE_ID;
  }

  private static String field(String name, String token) {
    Matcher field = Pattern.compile("<" + name + ">([^<]*)</" + name + ">").matcher(token);
    if (!field.find()) throw new IllegalArgumentException(name);
    return field.group(1);
  }
}
