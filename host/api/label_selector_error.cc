// Checks label selectors. selector_errors.cc contains the rules for keys and values that node selectors share.
#include "api/selector_errors.h"
#include "base/text.h"

namespace berth::api {

std::optional<LabelOp> LabelOpOf(std::string_view op) {
  if (op == "In") return LabelOp::kIn;
  if (op == "NotIn") return LabelOp::kNotIn;
  if (op == "Exists") return LabelOp::kExists;
  if (op == "DoesNotExist") return LabelOp::kDoesNotExist;
  return std::nullopt;
}

std::string NotALabelOperator(std::string_view op) {
  return base::Quoted(op) + " is not a valid label selector operator";
}

std::string_view LabelOpCountError(LabelOp op, size_t n_values) {
  const bool takes_values = op == LabelOp::kIn || op == LabelOp::kNotIn;
  if (takes_values == (n_values != 0)) return {};
  return takes_values ? "for 'in', 'notin' operators, values set can't be empty"
                      : "values set must be empty for exists and does not exist";
}

std::string LabelSelectorError(const InternTables& intern, const berth_selector& selector) {
  std::vector<FieldError> errors;
  for (uint32_t i = 0; i < selector.labels.n && errors.empty(); ++i) {
    const auto* label = BERTH_AT(selector.labels, berth_kv, i);
    const std::string_view value = intern.ids.Text(label->value);
    CheckLabelRequirement({}, {intern.ids.Text(label->key), RequirementValues({&value, 1}), {}}, errors);
  }
  for (uint32_t i = 0; i < selector.expressions.n && errors.empty(); ++i) {
    const auto* requirement = BERTH_AT(selector.expressions, berth_label_requirement, i);
    const std::string_view text = intern.ids.Text(requirement->op);
    const std::optional<LabelOp> op = LabelOpOf(text);
    if (!op) return NotALabelOperator(text);
    const RequirementValues values(intern, requirement->values);
    CheckLabelRequirement({}, {intern.ids.Text(requirement->key), values, LabelOpCountError(*op, values.size())},
                          errors);
  }
  return AggregateText(errors);
}

}  // namespace berth::api
