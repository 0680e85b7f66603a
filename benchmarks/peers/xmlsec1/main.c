// A contender: XML documents with an enveloped signature verified by libxmlsec1: see BENCHMARKS.md, "peers".
//
//   xmlsec1 KEY TOKENS     documents, one per line, for REF30 and TNT
#define _GNU_SOURCE
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmlsec/crypto.h>
#include <xmlsec/xmldsig.h>
#include <xmlsec/xmlsec.h>
#include <xmlsec/xmltree.h>

#include "fields.h"
#include "tokens.h"

struct verifier {
  xmlSecKeyPtr key;
  xmlParserCtxtPtr parser;
};

static void require(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "xmlsec1: %s failed\n", what);
  exit(1);
}

// Only what these documents need is allowed; whatever else one may ask for is refused by xmlsec itself.
static xmlSecDSigCtxPtr signature_context(xmlSecKeyPtr key) {
  xmlSecDSigCtxPtr context = xmlSecDSigCtxCreate(NULL);
  require(context != NULL, "making a context");
  context->signKey = key;
  context->enabledReferenceUris = xmlSecTransformUriTypeEmpty;
  require(xmlSecDSigCtxEnableSignatureTransform(context, xmlSecTransformExclC14NId) == 0 &&
    xmlSecDSigCtxEnableSignatureTransform(context, xmlSecTransformRsaSha256Id) == 0 &&
    xmlSecDSigCtxEnableReferenceTransform(context, xmlSecTransformEnvelopedId) == 0 &&
    xmlSecDSigCtxEnableReferenceTransform(context, xmlSecTransformExclC14NId) == 0 &&
    xmlSecDSigCtxEnableReferenceTransform(context, xmlSecTransformSha256Id) == 0, "allowing transforms");
  return context;
}

// Gives why the signature is refused, or NULL.
static const char *check_signature(xmlDocPtr document, xmlSecKeyPtr key) {
  xmlNodePtr node = xmlSecFindNode(xmlDocGetRootElement(document), xmlSecNodeSignature, xmlSecDSigNs);
  if (node == NULL) return "it is not signed";
  xmlSecDSigCtxPtr context = signature_context(key);
  int good = xmlSecDSigCtxVerify(context, node) == 0 && context->status == xmlSecDSigStatusSucceeded &&
    xmlSecPtrListGetSize(&context->signedInfoReferences) == 1;
  context->signKey = NULL;  // kept for the next one; else the context would free it
  xmlSecDSigCtxDestroy(context);
  return good ? NULL : "the signature is not good";
}

static const char *verify(void *context, const char *token) {
  struct verifier *verifier = context;
  xmlDocPtr document = xmlCtxtReadMemory(verifier->parser, token, (int)strlen(token), NULL, "UTF-8", XML_PARSE_NONET);
  if (document == NULL) return "it is not XML";
  const char *why = check_signature(document, verifier->key);
  if (why == NULL) why = check_fields(xmlDocGetRootElement(document), "REF30", "TNT");
  xmlFreeDoc(document);
  return why;
}

int main(int count, char **words) {
  if (count != 3) return 2;
  require(xmlSecInit() == 0 && xmlSecCheckVersion() == 1, "starting xmlsec");
  require(xmlSecCryptoAppInit(NULL) == 0 && xmlSecCryptoInit() == 0, "starting its OpenSSL");
  struct verifier verifier = {.parser = xmlNewParserCtxt()};
  verifier.key = xmlSecCryptoAppKeyLoad(words[1], xmlSecKeyDataFormatPem, NULL, NULL, NULL);
  require(verifier.key != NULL && verifier.parser != NULL, "loading the key");
  contend_with_tokens(words[2], verify, &verifier);
  return 0;
}
