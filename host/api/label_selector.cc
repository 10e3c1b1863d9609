#include <algorithm>

#include "api/label_syntax.h"
#include "api/selector_errors.h"
#include "api/selector_json.h"
#include "api/selectors.h"
#include "base/text.h"

namespace berth::api {
namespace {

std::vector<base::OwnedId> Own(Vocabulary& words, const std::vector<std::string_view>& texts) {
  std::vector<base::OwnedId> ids;
  ids.reserve(texts.size());
  for (std::string_view text : texts) ids.emplace_back(words.ids, text);
  return ids;
}

void CheckLabel(SelectorJson& in, const std::string& key, std::string_view value) {
  if (const auto complaints = LabelKeyErrors(key); !complaints.empty()) {
    in.Report("matchLabels", InvalidText(key, base::Join(complaints, "; ")));
  }
  if (const auto complaints = LabelValueErrors(value); !complaints.empty()) {
    in.Report("matchLabels[" + key + "]", InvalidText(value, base::Join(complaints, "; ")));
  }
}

void CheckExpression(SelectorJson& in, const std::string& path, std::string_view key,
                     const std::vector<std::string_view>& values, std::string_view count_error) {
  std::vector<FieldError> errors;
  CheckLabelRequirement(path, key, values, count_error, false, errors);
  for (const FieldError& error : errors) in.Report(error.path, error.detail);
}

}  // namespace

std::unique_ptr<LabelSelector> LabelSelector::Compile(Vocabulary& words, const json::Value* selector,
                                                      const FieldErrorSink& sink) {
  auto compiled = std::make_unique<LabelSelector>();
  if (selector == nullptr || selector->is_null()) {
    compiled->nothing_ = true;
    return compiled;
  }
  SelectorJson in(sink);
  if (!in.IsObject(*selector, "", {"matchLabels", "matchExpressions"})) return nullptr;
  compiled->AddLabels(words, *selector, in);
  compiled->AddExpressions(words, *selector, in);
  return in.failed() ? nullptr : std::move(compiled);
}

void LabelSelector::AddLabels(Vocabulary& words, const json::Value& selector, SelectorJson& in) {
  const json::Value* labels = selector.Find("matchLabels");
  if (labels == nullptr || labels->is_null()) return;
  if (!labels->is_object()) return in.Report("matchLabels", "expected an object");
  for (const auto& [key, value] : labels->object()) {
    if (!value.is_string() && !value.is_null()) in.Report("matchLabels[" + key + "]", "expected a string");
    CheckLabel(in, key, value.string());
    requirements_.push_back({base::OwnedId(words.ids, key), Requirement::Op::kIn, Own(words, {value.string()})});
  }
}

void LabelSelector::AddExpressions(Vocabulary& words, const json::Value& selector, SelectorJson& in) {
  using Op = Requirement::Op;
  const json::Array& expressions = in.Array(selector, "matchExpressions", "");
  for (size_t i = 0; i < expressions.size(); ++i) {
    const std::string path = SelectorJson::Index("matchExpressions", i);
    const json::Value& expression = expressions[i];
    if (!expression.is_null() && !in.IsObject(expression, path, {"key", "operator", "values"})) continue;
    const std::string_view key = in.Text(expression, "key", path), op = in.Text(expression, "operator", path);
    const std::vector<std::string_view> values = in.Texts(expression, "values", path);
    std::string_view count_error;
    Op compiled;
    if (op == "In" || op == "NotIn") {
      compiled = op == "In" ? Op::kIn : Op::kNotIn;
      if (values.empty()) count_error = "for 'in', 'notin' operators, values set can't be empty";
    } else if (op == "Exists" || op == "DoesNotExist") {
      compiled = op == "Exists" ? Op::kExists : Op::kDoesNotExist;
      if (!values.empty()) count_error = "values set must be empty for exists and does not exist";
    } else {
      in.Report(path + ".operator", base::Quoted(op) + " is not a valid label selector operator");
      continue;
    }
    CheckExpression(in, path, key, values, count_error);
    requirements_.push_back({base::OwnedId(words.ids, key), compiled, Own(words, values)});
  }
}

bool LabelSelector::Matches(const berth_labels& labels) const {
  if (nothing_) return false;
  return std::all_of(requirements_.begin(), requirements_.end(), [&](const Requirement& requirement) {
    const base::Id value = LabelValue(labels, requirement.key.get());
    const bool present = value != base::kNoId;
    const bool listed = std::any_of(requirement.values.begin(), requirement.values.end(),
                                    [&](const base::OwnedId& id) { return id.get() == value; });
    switch (requirement.op) {
      case Requirement::Op::kIn: return present && listed;
      case Requirement::Op::kNotIn: return !present || !listed;
      case Requirement::Op::kExists: return present;
      case Requirement::Op::kDoesNotExist: return !present;
    }
    return false;
  });
}

}  // namespace berth::api
