#include "cluster/explain/explain_answers.h"

#include <string_view>

namespace berth::explain {

serve::Handler OfOwnSite(serve::Handler handler) {
  return [handler = std::move(handler)](const http::Incoming& request) {
    const std::string_view site = request.Header("sec-fetch-site");
    const bool own = site.empty() || site == "same-origin" || site == "none";
    return own ? handler(request) : serve::PlainError(403, "another site must not ask");
  };
}

}  // namespace berth::explain
