// Certificates: bundles of CAs in PEM, serving pairs, and client certificates of the handshake in DER. A text without a
// certificate must be refused, and a certificate must name the same CA each time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "client/http/client_trust.h"
#include "client/http/server_tls.h"
#include "require.h"

namespace {

namespace http = berth::http;

void CheckBundle(const std::string& text) {
  const auto trust = http::ClientTrust::Load(text);
  if (!trust) return Require(!trust.error().message.empty(), "what is refused has a reason");
  const auto& names = (*trust)->ca_names();
  Require(!names.empty(), "a bundle has a certificate");
  const std::set<std::string> once(names.begin(), names.end());
  Require(once.size() == names.size(), "each name is there once");
  // An incomplete block at the end of the text may join the beginning of the copy to an invalid block.
  const auto twice = http::ClientTrust::Load(text + "\n" + text);
  if (!twice) return;
  const std::set<std::string> all((*twice)->ca_names().begin(), (*twice)->ca_names().end());
  Require(std::includes(all.begin(), all.end(), once.begin(), once.end()), "a copy takes no name away");
}

void CheckClient(const std::string& der) {
  const std::string identifier = http::CertificateIdentifier(der);
  Require(identifier.empty() || identifier.starts_with("SN="), "an identifier begins with the number");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  CheckBundle(text);
  CheckClient(text);
  if (const auto pair = http::CheckServingPair(text, text); !pair) {
    Require(!pair.error().message.empty(), "what is refused has a reason");
  }
  return 0;
}
