#include "client/http/incoming.h"

#include <algorithm>

namespace berth::http {

std::string_view Incoming::Header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(), [&](const auto& one) { return one.first == name; });
  return found == headers.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace berth::http
