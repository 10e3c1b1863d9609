#include "cluster/serve/flagz.h"

#include <memory>

#include "cluster/serve/delimiter.h"
#include "cluster/serve/zpage.h"

namespace berth::serve {

Route FlagzRoute(const std::map<std::string, std::string>& flags) {
  const std::string separator = Delimiter();  // the same for the life of the process, as upstream
  std::string text;
  json::Object object;
  for (const auto& [name, value] : flags) {
    text += name;
    text += separator;
    text += value;
    text += '\n';
    object.emplace_back(name, value);
  }
  const json::Object fields{{"flags", json::Value(std::move(object))}};
  const auto page = std::make_shared<const Zpage>(
      "flagz", "Flagz", [text] { return text; }, [fields] { return json::Object(fields); });
  return {.path = "/flagz", .handler = [page](const http::Incoming& request) { return page->Get(request); }};
}

}  // namespace berth::serve
