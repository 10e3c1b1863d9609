#include "api/selector_block.h"

#include <algorithm>
#include <cstddef>

#include "api/selector_errors.h"
#include "api/selectors.h"

namespace berth::api {
namespace {

bool Holds(LabelOp op, const berth_label_requirement& requirement, base::Id value) {
  const bool present = value != base::kNoId;
  const auto listed = [&] {
    const auto* values = static_cast<const berth_id*>(requirement.values.ptr);
    return std::find(values, values + requirement.values.n, value) != values + requirement.values.n;
  };
  switch (op) {
    case LabelOp::kIn: return present && listed();
    case LabelOp::kNotIn: return !present || !listed();
    case LabelOp::kExists: return present;
    case LabelOp::kDoesNotExist: return !present;
  }
  return false;
}

}  // namespace

bool SelectorBlock::Matches(const berth_labels& labels) const {
  if (nothing_) return false;
  for (uint32_t i = 0; i < abi.labels.n; ++i) {
    const auto* want = BERTH_AT(abi.labels, berth_kv, i);
    if (LabelValue(labels, want->key) != want->value) return false;
  }
  for (uint32_t i = 0; i < abi.expressions.n; ++i) {
    const auto* requirement = BERTH_AT(abi.expressions, berth_label_requirement, i);
    if (!Holds(ops_[i], *requirement, LabelValue(labels, requirement->key))) return false;
  }
  return true;
}

void SelectorBlock::Compile(const InternTables& intern) {
  error_ = LabelSelectorError(intern, abi);
  nothing_ = !set() || !error_.empty();
  if (nothing_) return;
  ops_.reserve(abi.expressions.n);
  for (uint32_t i = 0; i < abi.expressions.n; ++i) {
    const base::Id op = BERTH_AT(abi.expressions, berth_label_requirement, i)->op;
    ops_.push_back(*LabelOpOf(intern.ids.Text(op)));  // without an error, every operator is known
  }
}

const SelectorBlock& SelectorBlockOf(const berth_selector* selector) {
  return static_cast<const SelectorBlock&>(BlockOf(*selector));
}

}  // namespace berth::api
