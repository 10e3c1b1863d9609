// LabelSelector: the label selectors in plugin args, checked like ValidateLabelSelector.
#include <algorithm>

#include "api/content.h"
#include "api/selector_errors.h"
#include "api/selector_json.h"
#include "api/selectors.h"
#include "base/text.h"
#include "codec/text/label_syntax.h"

namespace berth::api {
namespace {

void CheckLabel(SelectorJson& in, const TextPair& label) {
  const std::string key(label.key);
  if (const auto complaints = text::LabelKeyErrors(key); !complaints.empty()) {
    in.Report("matchLabels", InvalidText(key, base::Join(complaints, "; ")));
  }
  if (const auto complaints = text::LabelValueErrors(label.value); !complaints.empty()) {
    in.Report("matchLabels[" + key + "]", InvalidText(label.value, base::Join(complaints, "; ")));
  }
}

void CheckExpression(SelectorJson& in, const FieldPath& path, const RequirementDraft& requirement,
                     const SelectorPool& pool) {
  const std::optional<LabelOp> op = LabelOpOf(requirement.op);
  if (!op) return in.Report(path.Child("operator").Text(), NotALabelOperator(requirement.op));
  const Range range = requirement.values;
  const RequirementValues values(std::span(pool.texts).subspan(range.begin, range.end - range.begin));
  std::vector<FieldError> errors;
  CheckLabelRequirement(path, {requirement.key, values, LabelOpCountError(*op, values.size())}, errors);
  for (const FieldError& error : errors) in.Report(error.path, error.detail);
}

void ReadLabels(SelectorJson& in, const json::Value& selector, SelectorPool& pool, SelectorDraft& draft) {
  const json::Value* labels = selector.Find("matchLabels");
  if (labels == nullptr || labels->is_null()) return;
  if (!labels->is_object()) return in.Report("matchLabels", "expected an object");
  draft.labels = ReadLabelMap(in, "matchLabels", *labels, pool);
}

void ReadExpressions(SelectorJson& in, const json::Value& selector, SelectorPool& pool, SelectorDraft& draft) {
  const json::Array& expressions = in.Array(selector, "matchExpressions", "");
  draft.expressions.begin = static_cast<uint32_t>(pool.requirements.size());
  for (size_t i = 0; i < expressions.size(); ++i) {
    const std::string path = SelectorJson::Index("matchExpressions", i);
    RequirementDraft requirement;
    if (in.IsObject(expressions[i], path, {"key", "operator", "values"})) {
      requirement.key = in.Text(expressions[i], "key", path);
      requirement.op = in.Text(expressions[i], "operator", path);
      requirement.values.begin = static_cast<uint32_t>(pool.texts.size());
      for (std::string_view value : in.Texts(expressions[i], "values", path)) pool.texts.push_back(value);
      requirement.values.end = static_cast<uint32_t>(pool.texts.size());
    }
    pool.requirements.push_back(requirement);
  }
  draft.expressions.end = static_cast<uint32_t>(pool.requirements.size());
}

}  // namespace

Range ReadLabelMap(SelectorJson& in, const std::string& path, const json::Value& map, SelectorPool& pool) {
  const auto begin = static_cast<uint32_t>(pool.labels.size());
  for (const auto& [key, value] : map.object()) {
    if (!value.is_string() && !value.is_null()) in.Report(path + '[' + key + ']', "expected a string");
    pool.labels.push_back({key, value.string()});
  }
  return SortUniqueTail(pool.labels, begin);
}

void ReadSelector(SelectorJson& in, const json::Value& selector, SelectorPool& pool, SelectorDraft& draft) {
  if (selector.is_null()) return;
  draft.set = in.IsObject(selector, "", {"matchLabels", "matchExpressions"});
  if (!draft.set) return;
  ReadLabels(in, selector, pool, draft);
  ReadExpressions(in, selector, pool, draft);
}

std::unique_ptr<LabelSelector> LabelSelector::Compile(InternTables& intern, const json::Value* selector,
                                                      const FieldErrorSink& sink) {
  SelectorJson in(sink);
  SelectorPool pool;
  SelectorDraft draft;
  if (selector != nullptr) ReadSelector(in, *selector, pool, draft);
  if (in.failed()) return nullptr;
  for (const TextPair& label : pool.labels) CheckLabel(in, label);
  for (size_t i = 0; i < pool.requirements.size(); ++i) {
    CheckExpression(in, {nullptr, "matchExpressions", i}, pool.requirements[i], pool);
  }
  if (in.failed()) return nullptr;
  return std::make_unique<LabelSelector>(MakeSelector(intern, pool, draft));
}

SelectorRef ReadLabelSelector(InternTables& intern, const json::Value& selector) {
  const FieldErrorSink discard = [](std::string_view, std::string_view) {};
  SelectorJson in(discard);
  SelectorPool pool;
  SelectorDraft draft;
  ReadSelector(in, selector, pool, draft);
  return MakeSelector(intern, pool, draft);
}

SelectorRef ReadLabelMapSelector(InternTables& intern, const json::Value& map) {
  const FieldErrorSink discard = [](std::string_view, std::string_view) {};
  SelectorJson in(discard);
  SelectorPool pool;
  SelectorDraft draft;
  draft.set = map.is_object();
  draft.labels = ReadLabelMap(in, "", map, pool);
  return MakeSelector(intern, pool, draft);
}

}  // namespace berth::api
