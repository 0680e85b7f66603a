// OpenSSL's libcrypto as Swift sees it: the EVP interface, plus adapters for what Swift cannot import.
#ifndef MEDIATOKEN_CLIBCRYPTO_SHIM_H
#define MEDIATOKEN_CLIBCRYPTO_SHIM_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// ERR_GET_REASON, ERR_R_MALLOC_FAILURE and the like are macros with casts, which Swift does not import.
static inline int mediatoken_err_is_malloc_failure(unsigned long error) {
  return ERR_GET_REASON(error) == ERR_R_MALLOC_FAILURE;
}

static inline int mediatoken_err_is_of_rsa(unsigned long error) {
  return ERR_GET_LIB(error) == ERR_LIB_RSA || ERR_GET_LIB(error) == ERR_LIB_PROV;
}

// OPENSSL_free is a macro that passes the file and line.
static inline void mediatoken_openssl_free(void *memory) { OPENSSL_free(memory); }

// BIO_get_mem_data is a macro over BIO_ctrl with an untyped argument.
static inline long mediatoken_bio_get_mem_data(BIO *bio, char **data) { return BIO_get_mem_data(bio, data); }

// Macros over casts and other macros. Names are printed as UTF-8 and unescaped but for RFC 4514's own escapes.
static inline unsigned long mediatoken_x509_name_flags(void) {
  return XN_FLAG_RFC2253 & ~(unsigned long)(ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_ESC_CTRL);
}

#endif
