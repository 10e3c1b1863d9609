#include "canary/question.h"

namespace berth::canary {
namespace {

using json::Value;

const json::Array& ListAt(const Value& document, std::string_view key) {
  static const json::Array kNone;
  const Value* found = document.Find(key);
  return found == nullptr ? kNone : found->array();
}

std::string TextAt(const Value& object, std::string_view key) {
  const Value* found = object.Find(key);
  return found == nullptr ? "" : found->string();
}

}  // namespace

std::string ToJson(const Question& question) {
  Value sources{json::Array()}, directories{json::Array()};
  for (const config::Source& source : question.sources) {
    sources.Append(Value::MakeObject({{"name", source.name}, {"text", source.text}}));
  }
  for (const std::string& directory : question.plugin_directories) directories.Append(directory);
  return json::Dump(Value::MakeObject({{"sources", std::move(sources)},
                                       {"pluginDirectories", std::move(directories)},
                                       {"featureGates", question.feature_gates},
                                       {"stagingDirectory", question.staging_directory},
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
    question.sources.push_back({TextAt(source, "name"), TextAt(source, "text")});
  }
  for (const Value& directory : ListAt(*document, "pluginDirectories")) {
    question.plugin_directories.push_back(directory.string());
  }
  question.feature_gates = TextAt(*document, "featureGates");
  question.staging_directory = TextAt(*document, "stagingDirectory");
  if (const Value* parent = document->Find("parent")) question.parent = parent->integer();
  question.sample.nodes = ListAt(*document, "nodes");
  question.sample.pods = ListAt(*document, "pods");
  return question;
}

}  // namespace berth::canary
