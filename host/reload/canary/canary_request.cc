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

std::string ToJson(const Question& question) {
  Value sources{json::Array()};
  for (const config::ParsedSource& source : question.sources) sources.Append(ToValue(source));
  return json::Dump(Value::MakeObject({{"sources", std::move(sources)},
                                       {"pluginDirectories", ListOf(question.plugin_directories)},
                                       {"featureGates", question.feature_gates},
                                       {"stagingDirectory", question.staging_directory},
                                       {"hidden", ListOf(question.hidden)},
                                       {"parent", question.parent},
                                       {"nodes", question.sample.nodes},
                                       {"pods", question.sample.pods}}));
}

base::Result<Question> QuestionOf(std::string_view json) {
  const auto document = json::Parse(json);
  if (!document) return tl::unexpected(document.error());
  if (!document->is_object() || document->Find("sources") == nullptr) return base::Fail("this is no question");
  Question question;
  for (const Value& source : ListAt(*document, "sources")) {
    auto parsed = ParsedSourceOf(source);
    if (!parsed) return tl::unexpected(parsed.error());
    question.sources.push_back(std::move(*parsed));
  }
  question.plugin_directories = TextsAt(*document, "pluginDirectories");
  question.feature_gates = json::TextAt(*document, "featureGates");
  question.staging_directory = json::TextAt(*document, "stagingDirectory");
  question.hidden = TextsAt(*document, "hidden");
  if (const Value* parent = document->Find("parent")) question.parent = parent->integer();
  question.sample.nodes = ListAt(*document, "nodes");
  question.sample.pods = ListAt(*document, "pods");
  return question;
}

}  // namespace berth::canary
