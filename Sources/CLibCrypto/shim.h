// OpenSSL's libcrypto as Swift sees it: the EVP interface, plus adapters for what Swift cannot import.
#ifndef MEDIATOKEN_CLIBCRYPTO_SHIM_H
#define MEDIATOKEN_CLIBCRYPTO_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdint.h>

// The file that has the EVP_PKEY_verify which is called, or NULL. Swift does not tell the address of a C function, and the C library
// declares dladdr and Dl_info for _GNU_SOURCE alone.
struct mediatoken_place { const char *file; void *base; const char *symbol; void *address; };
extern int mediatoken_dladdr(const void *address, struct mediatoken_place *place) __asm__("dladdr");
static inline const char *mediatoken_file_of_verify(void) {
  struct mediatoken_place place;
  return mediatoken_dladdr((const void *)EVP_PKEY_verify, &place) != 0 ? place.file : NULL;
}

// ERR_GET_REASON, ERR_R_MALLOC_FAILURE and the like are macros with casts, which Swift does not import.
static inline int mediatoken_err_is_malloc_failure(unsigned long error) {
  return ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
}

// Whether it is one of the errors that known versions queue for a signature that does not fit: RSA's, those of the provider around
// it, and from 3.5 on EVP_R_PROVIDER_SIGNATURE_FAILURE of EVP. By number: the headers of 3.0 lack the name.
static inline int mediatoken_err_is_of_forgery(unsigned long error) {
  int library = ERR_GET_LIB(error);
  return library == ERR_LIB_RSA || library == ERR_LIB_PROV || (library == ERR_LIB_EVP && ERR_GET_REASON(error) == 234);
}

// OPENSSL_free is a macro that passes the file and line.
static inline void mediatoken_openssl_free(void *memory) { OPENSSL_free(memory); }

// BIO_get_mem_data is a macro over BIO_ctrl with an untyped argument.
static inline long mediatoken_bio_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// Macros over casts and other macros. Names are printed as UTF-8 and unescaped except for RFC 4514's own escapes.
static inline unsigned long mediatoken_x509_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_CTRL);
}

// Seconds from 1970 to the first and the last moment of a certificate: 1, 0 if a time cannot be read, -1 if memory ran out.
// ASN1_TIME is a structure up to OpenSSL 3 and opaque from 4 on, which in Swift are two types of pointers.
static inline int mediatoken_asn1_seconds(const ASN1_TIME *time, int64_t *seconds) {
  ASN1_TIME *epoch = ASN1_TIME_set(NULL, 0);
  if (epoch == NULL) return -1;
  int days, rest, done = ASN1_TIME_diff(&days, &rest, epoch, time);
  ASN1_TIME_free(epoch);
  if (done == 1) *seconds = (int64_t)days * 86400 + rest;
  return done == 1;
}

static inline int mediatoken_x509_not_before(const X509 *certificate, int64_t *seconds) {
  return mediatoken_asn1_seconds(X509_get0_notBefore(certificate), seconds);
}

static inline int mediatoken_x509_not_after(const X509 *certificate, int64_t *seconds) {
  return mediatoken_asn1_seconds(X509_get0_notAfter(certificate), seconds);
}

// HMAC-SHA256 with a key, or NULL. Its parameters are an array of macros and char pointers.
static inline EVP_MAC_CTX *mediatoken_hmac_sha256_new(OSSL_LIB_CTX *library, const unsigned char *key, size_t count) {
  char digest[] = "SHA256";
  const OSSL_PARAM parameters[] = {
    OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0), OSSL_PARAM_construct_end()
  };
  EVP_MAC *mac = EVP_MAC_fetch(library, "HMAC", NULL);
  EVP_MAC_CTX *context = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
  EVP_MAC_free(mac);
  if (context != NULL && EVP_MAC_init(context, key, count, parameters) != 1) {
    EVP_MAC_CTX_free(context);
    return NULL;
  }
  return context;
}

// The two numbers of an ECDSA signature in DER, each in `width` bytes at `output`; 1 if they fit. ECDSA_SIG's accessors return
// their results through pointers to pointers.
static inline int mediatoken_ecdsa_numbers(const unsigned char *der, size_t count, unsigned char *output, int width) {
  ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)count);
  if (signature == NULL) return 0;
  int done = BN_bn2binpad(ECDSA_SIG_get0_r(signature), output, width) == width
    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), output + width, width) == width;
  ECDSA_SIG_free(signature);
  return done;
}

#endif
