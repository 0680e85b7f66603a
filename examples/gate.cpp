// Gates one playback, as gate.c, with owners in the manner of C++.
//
//   c++ -std=c++17 -o gate gate.cpp $(pkg-config --cflags --libs mediatoken)
//   ./gate KEYS REPLAY REQUESTOR RESOURCE [ADOBES_FINGERPRINT|dev] < token
#include <mediatoken.h>

#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

template <auto release>
struct Release {
  template <typename Handle>
  void operator()(Handle *handle) const { release(handle); }
};
using Keys = std::unique_ptr<mediatoken_keys, Release<mediatoken_keys_free>>;
using Verifier = std::unique_ptr<mediatoken_verifier, Release<mediatoken_verifier_free>>;
using Result = std::unique_ptr<mediatoken_result, Release<mediatoken_result_free>>;

void check(mediatoken_code code, const char *why = "") {
  if (code != MEDIATOKEN_OK) throw std::runtime_error(std::string(mediatoken_code_name(code)) + ": " + why);
}

mediatoken_text text(std::string_view view) { return {view.data(), view.size()}; }

Verifier open_verifier(std::string_view path, std::string_view replay, std::string_view consent) {
  char why[512] = "";
  mediatoken_keys *raw_keys = nullptr;
  check(mediatoken_keys_new(&raw_keys));
  Keys keys(raw_keys);
  if (consent == "dev") check(mediatoken_keys_allow_development_key(keys.get()));
  else if (!consent.empty()) check(mediatoken_keys_allow_rsa_1024(keys.get(), consent.data(), consent.size()));
  check(mediatoken_keys_add_path(keys.get(), path.data(), path.size(), why, sizeof why), why);
  mediatoken_verifier *verifier = nullptr;
  mediatoken_policy policy = MEDIATOKEN_POLICY_INIT;
  check(mediatoken_verifier_new(&verifier, keys.get(), &policy, replay.data(), replay.size(), why, sizeof why), why);
  return Verifier(verifier);
}

}  // namespace

int main(int argc, char **argv) try {
  if (argc != 5 && argc != 6) throw std::runtime_error("expected: gate KEYS REPLAY REQUESTOR RESOURCE [CONSENT]");
  Verifier verifier = open_verifier(argv[1], argv[2], argc == 6 ? argv[5] : "");
  mediatoken_result *raw_result = nullptr;
  check(mediatoken_result_new(&raw_result));
  Result result(raw_result);

  std::string token{std::istreambuf_iterator<char>(std::cin), {}};
  mediatoken_request request = MEDIATOKEN_REQUEST_INIT;
  request.token = text(token);
  request.requestor = text(argv[3]);
  request.resource = text(argv[4]);
  mediatoken_code code = mediatoken_verify(verifier.get(), &request, result.get());

  std::cout << mediatoken_code_name(code) << '\n';
  if (code == MEDIATOKEN_VALID_TOKEN) {
    std::cout << "mvpd: " << mediatoken_result_mvpd_id(result.get(), nullptr) << '\n';
    return 0;
  }
  // A refusal always has a detail.
  std::cout << "detail: " << mediatoken_result_detail(result.get(), nullptr) << '\n';
  return mediatoken_http_status(code) == 403 ? 1 : 3;
} catch (const std::exception &error) {
  std::cerr << "gate: " << error.what() << '\n';
  return 3;
}
