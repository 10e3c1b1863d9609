#include "cluster/access/bearer_token.h"

#include <strings.h>

#include <string>
#include <string_view>

#include "codec/text/trim.h"

namespace berth::access {

base::Secret BearerTokenOf(const http::Incoming& request) {
  const std::string_view value = text::Trim(request.Header("authorization"), text::kSpace);
  const size_t space = value.find(' ');
  if (space == std::string_view::npos) return {};
  if (space != 6 || strncasecmp(value.data(), "bearer", 6) != 0) return {};
  const std::string_view rest = value.substr(space + 1);
  return std::string(rest.substr(0, rest.find(' ')));
}

}  // namespace berth::access
