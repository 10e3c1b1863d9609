// The header Accept, and the choice of a media type. Source: github.com/munnerz/goautoneg, and
// NegotiateMediaTypeOptions in k8s.io/apiserver/pkg/endpoints/handlers/negotiation. Thread: any; pure functions.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::serve {

struct AcceptClause {
  std::string type, subtype;  // "application", "json"
  double quality = 1;
  std::map<std::string, std::string> parameters = {};  // without q
};

// The clauses in goautoneg's order. At most 64 clauses count.
std::vector<AcceptClause> ParseAccept(std::string_view header);

// The group, version, and kind that a client wants, in the parameters g, v, and as.
struct WantedKind {
  std::string group, version, kind;
};

struct MediaChoice {
  std::string media_type;          // one of the offered ones
  std::optional<WantedKind> kind;  // nullopt: no parameter names one
  bool pretty = false;             // the parameter pretty=1
};

// Whether an endpoint answers with that type and kind.
using AllowsMedia = std::function<bool(std::string_view media_type, const std::optional<WantedKind>& kind)>;

// offered: "application/json" and others, the preferred one first. nullopt: the client accepts none of them.
std::optional<MediaChoice> ChooseMedia(std::string_view accept, const std::vector<std::string>& offered,
                                       const AllowsMedia& allows);

}  // namespace berth::serve
