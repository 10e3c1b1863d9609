#include "cluster/secure_serving/pair_files.h"

#include "base/text.h"
#include "client/credentials/files.h"

namespace berth::secure_serving {
namespace {

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (size_t comma; (comma = text.find(',')) != std::string_view::npos; text.remove_prefix(comma + 1)) {
    parts.emplace_back(text.substr(0, comma));
  }
  parts.emplace_back(text);
  return parts;
}

}  // namespace

base::Result<http::ServingPair> ReadPair(const PairFiles& files) {
  if (files.certificate.empty() || files.key.empty()) return base::Fail("missing filename for serving cert");
  auto certificate = credentials::ReadSmallFile(files.certificate);
  if (!certificate) return tl::unexpected(certificate.error());
  auto key = credentials::ReadSmallFile(files.key);
  if (!key) return tl::unexpected(key.error());
  if (certificate->empty() || key->empty()) {
    return base::Fail("missing content for serving cert " + base::Quoted(files.Name()));
  }
  if (auto fits = http::CheckServingPair(*certificate, *key); !fits) return tl::unexpected(fits.error());
  return http::ServingPair{files.Name(), std::move(*certificate), std::move(*key), files.patterns};
}

PairFiles SniFilesOf(const std::string& value) {
  const size_t colon = value.find(':');
  const std::vector<std::string> files = SplitAtCommas(std::string_view(value).substr(0, colon));
  PairFiles pair{"sni-serving-cert", files.front(), files.size() > 1 ? files[1] : std::string()};
  if (colon != std::string::npos) pair.patterns = SplitAtCommas(std::string_view(value).substr(colon + 1));
  return pair;
}

}  // namespace berth::secure_serving
