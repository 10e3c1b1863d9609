// The parameters of a query, each taken once by its name; one that is unknown or invalid is an error that names it.
// Thread: one. Ownership: a value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cluster/serve/query.h"
#include "scheduler/decisions/decision.h"

namespace berth::explain {

// Decimal digits alone, of at most 64 bits.
std::optional<uint64_t> ParseNumber(std::string_view text);

// Which decisions a list has; at most a thousand.
struct ListRequest {
  uint64_t limit, before, after;
  decisions::Filter filter;
};

class Parameters {
 public:
  explicit Parameters(std::string_view query) : pairs_(serve::ParseQuery(query)) {}

  // An absent one is `otherwise`.
  uint64_t Number(std::string_view name, uint64_t otherwise, uint64_t least, uint64_t greatest);
  bool Flag(std::string_view name);  // true: "name", "name=1", "name=true"
  std::string Text(std::string_view name);
  std::vector<std::string> Texts(std::string_view name);
  decisions::Filter Filter();  // pod, profile, result, withNodes
  ListRequest List();          // limit, before, after, and the filter
  // Call it after all parameters were read. "": everything was valid.
  std::string Error() const;

 private:
  const std::string* Take(std::string_view name);

  std::vector<std::pair<std::string, std::string>> pairs_;  // key "": it was taken
  std::string error_;
};

}  // namespace berth::explain
