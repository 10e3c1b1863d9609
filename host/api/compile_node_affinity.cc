// CompileNodeAffinity: the node affinity in plugin args, checked like ValidateNodeAffinityArgs.
#include <limits>

#include "api/content.h"
#include "api/selector_errors.h"
#include "api/selector_json.h"
#include "api/selectors.h"

namespace berth::api {
namespace {

constexpr const char* kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

Range ReadRequirements(SelectorJson& in, const json::Value& term, std::string_view name, const std::string& path,
                       NodeAffinityDraft& draft) {
  const auto begin = static_cast<uint32_t>(draft.requirements.size());
  const json::Array& list = in.Array(term, name, path);
  for (size_t i = 0; i < list.size(); ++i) {
    const std::string at = SelectorJson::Index(SelectorJson::Child(path, name), i);
    RequirementDraft requirement;
    if (in.IsObject(list[i], at, {"key", "operator", "values"})) {
      requirement.key = in.Text(list[i], "key", at);
      requirement.op = in.Text(list[i], "operator", at);
      requirement.values.begin = static_cast<uint32_t>(draft.values.size());
      for (std::string_view value : in.Texts(list[i], "values", at)) draft.values.push_back(value);
      requirement.values.end = static_cast<uint32_t>(draft.values.size());
    }
    draft.requirements.push_back(requirement);
  }
  return {begin, static_cast<uint32_t>(draft.requirements.size())};
}

TermDraft ReadTerm(SelectorJson& in, const json::Value& term, const std::string& path, NodeAffinityDraft& draft) {
  if (!in.IsObject(term, path, {"matchExpressions", "matchFields"})) return {};
  const Range expressions = ReadRequirements(in, term, "matchExpressions", path, draft);
  return {expressions, ReadRequirements(in, term, "matchFields", path, draft)};
}

void ReadSelector(SelectorJson& in, const json::Value& selector, NodeAffinityDraft& draft) {
  if (!in.IsObject(selector, kRequired, {"nodeSelectorTerms"})) return;
  draft.has |= BERTH_NODE_AFFINITY_REQUIRED;
  const json::Array& terms = in.Array(selector, "nodeSelectorTerms", kRequired);
  for (size_t i = 0; i < terms.size(); ++i) {
    const std::string path = SelectorJson::Index(std::string(kRequired) + ".nodeSelectorTerms", i);
    draft.required.push_back(ReadTerm(in, terms[i], path, draft));
  }
}

void ReadRequired(SelectorJson& in, const json::Value& affinity, NodeAffinityDraft& draft) {
  if (const json::Value* required = affinity.Find(kRequired)) ReadSelector(in, *required, draft);
}

int32_t ReadWeight(SelectorJson& in, const json::Value& term, const std::string& path) {
  const json::Value* weight = term.Find("weight");
  if (weight == nullptr || weight->is_null()) return 0;
  const int64_t number = weight->integer();
  if (!weight->is_int() || number < std::numeric_limits<int32_t>::min() ||
      number > std::numeric_limits<int32_t>::max()) {
    in.Report(path + ".weight", "expected a whole number of 32 bits");
    return 0;
  }
  return static_cast<int32_t>(number);
}

void ReadPreferred(SelectorJson& in, const json::Value& affinity, NodeAffinityDraft& draft) {
  const json::Value* preferred = affinity.Find(kPreferred);
  if (preferred == nullptr || preferred->is_null()) return;
  draft.has |= BERTH_NODE_AFFINITY_PREFERRED;
  const json::Array& terms = in.Array(affinity, kPreferred, "");
  for (size_t i = 0; i < terms.size(); ++i) {
    const std::string path = SelectorJson::Index(kPreferred, i);
    PreferredDraft& term = draft.preferred.emplace_back();
    if (!in.IsObject(terms[i], path, {"weight", "preference"})) continue;
    term.weight = ReadWeight(in, terms[i], path);
    const json::Value* preference = terms[i].Find("preference");
    if (preference != nullptr) term.term = ReadTerm(in, *preference, path + ".preference", draft);
  }
}

}  // namespace

Ref<const NodeAffinityBlock> CompileNodeAffinity(InternTables& intern, const json::Value& affinity,
                                                 const FieldErrorSink& sink) {
  SelectorJson in(sink);
  NodeAffinityDraft draft;
  if (in.IsObject(affinity, "", {kRequired, kPreferred})) {
    ReadRequired(in, affinity, draft);
    ReadPreferred(in, affinity, draft);
  }
  if (in.failed()) return {};
  Ref<const NodeAffinityBlock> block = MakeNodeAffinity(intern, draft);
  std::vector<FieldError> errors;
  CheckRequired(intern, block->abi, {nullptr, kRequired, std::nullopt}, errors);
  CheckPreferred(intern, block->abi, kPreferred, errors);
  for (const FieldError& error : errors) in.Report(error.path, error.detail);
  return in.failed() ? Ref<const NodeAffinityBlock>() : block;
}

Ref<const NodeAffinityBlock> ReadNodeSelector(InternTables& intern, const json::Value& selector) {
  const FieldErrorSink discard = [](std::string_view, std::string_view) {};
  SelectorJson in(discard);
  NodeAffinityDraft draft;
  if (selector.is_object()) ReadSelector(in, selector, draft);
  return !selector.is_object() || in.failed() ? Ref<const NodeAffinityBlock>() : MakeNodeAffinity(intern, draft);
}

}  // namespace berth::api
