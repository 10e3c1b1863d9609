#include "reload/canary/canary_request.h"

#include "reload/canary/parsed_source_json.h"

namespace berth::canary {
namespace {

using json::Value;

const json::Array& ListAt(const Value& document, std::string_view key) {
  static const json::Array kNone;
  const Value* found = document.Find(key);
  return found == nullptr ? kNone : found->array();
}

std::vector<std::string> TextsAt(const Value& document, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& text : ListAt(document, key)) texts.push_back(text.string());
  return texts;
}

Value ListOf(const std::vector<std::string>& texts) {
  Value list{json::Array()};
  for (const std::string& text : texts) list.Append(text);
  return list;
}

}  // namespace

std::string ToJson(const Request& request) {
  Value sources{json::Array()};
  for (const config::ParsedSource& source : request.sources) sources.Append(ToValue(source));
  return json::Dump(Value::MakeObject({{"sources", std::move(sources)},
                                       {"pluginDirectories", ListOf(request.plugin_directories)},
                                       {"featureGates", request.feature_gates},
                                       {"stagingDirectory", request.staging_directory},
                                       {"hidden", ListOf(request.hidden)},
                                       {"parent", request.parent},
                                       {"nodes", request.sample.nodes},
                                       {"pods", request.sample.pods}}));
}

base::Result<Request> RequestOf(std::string_view json) {
  const auto document = json::Parse(json);
  if (!document) return tl::unexpected(document.error());
  if (!document->is_object() || document->Find("sources") == nullptr) return base::Fail("this is no request");
  Request request;
  for (const Value& source : ListAt(*document, "sources")) {
    auto parsed = ParsedSourceOf(source);
    if (!parsed) return tl::unexpected(parsed.error());
    request.sources.push_back(std::move(*parsed));
  }
  request.plugin_directories = TextsAt(*document, "pluginDirectories");
  request.feature_gates = json::TextAt(*document, "featureGates");
  request.staging_directory = json::TextAt(*document, "stagingDirectory");
  request.hidden = TextsAt(*document, "hidden");
  if (const Value* parent = document->Find("parent")) request.parent = parent->integer();
  request.sample.nodes = ListAt(*document, "nodes");
  request.sample.pods = ListAt(*document, "pods");
  return request;
}

}  // namespace berth::canary
