#include <algorithm>

#include "api/selector_errors.h"
#include "api/selectors.h"

namespace berth::api {
namespace {

bool ContainsId(const berth_id* ids, uint32_t n, base::Id id) { return std::find(ids, ids + n, id) != ids + n; }

// op is one of the six operators of node selectors.
NodeRequirement::Op OpOf(const InternTables& intern, base::Id op) {
  using Op = NodeRequirement::Op;
  if (op == intern.op_in) return Op::kIn;
  if (op == intern.op_not_in) return Op::kNotIn;
  if (op == intern.op_exists) return Op::kExists;
  if (op == intern.op_does_not_exist) return Op::kDoesNotExist;
  return op == intern.op_gt ? Op::kGt : Op::kLt;
}

// The list is one of a term without errors.
NodeRequirement RequirementAt(const InternTables& intern, const berth_list& list, uint32_t i) {
  const auto* raw = BERTH_AT(list, berth_node_requirement, i);
  NodeRequirement requirement{raw->key, OpOf(intern, raw->op), static_cast<const berth_id*>(raw->values.ptr),
                              raw->values.n, 0};
  if (requirement.op == NodeRequirement::Op::kGt || requirement.op == NodeRequirement::Op::kLt) {
    ParseInt64(intern.ids.Text(requirement.values[0]), requirement.bound);
  }
  return requirement;
}

bool HasErrors(const InternTables& intern, const berth_node_term& term) {
  std::vector<FieldError> errors;
  CheckNodeTerm(intern, term, {}, errors);
  return !errors.empty();
}

}  // namespace

base::Id LabelValue(const berth_labels& labels, base::Id key) {
  for (uint32_t i = 0; i < labels.items.n; ++i) {
    const auto* label = BERTH_AT(labels.items, berth_kv, i);
    if (label->key == key) return label->value;
  }
  return base::kNoId;
}

NodeTermMatcher::NodeTermMatcher(const InternTables& intern, const berth_node_term& term)
    : intern_(intern),
      term_(term),
      nothing_((term.expressions.n == 0 && term.fields.n == 0) || HasErrors(intern, term)) {}

NodeRequirement NodeTermMatcher::expression(uint32_t i) const { return RequirementAt(intern_, term_.expressions, i); }

bool NodeRequirement::HoldsFor(const InternTables& intern, base::Id value) const {
  const bool present = value != base::kNoId;
  switch (op) {
    case Op::kIn: return present && ContainsId(values, n_values, value);
    case Op::kNotIn: return !present || !ContainsId(values, n_values, value);
    case Op::kExists: return present;
    case Op::kDoesNotExist: return !present;
    case Op::kGt:
    case Op::kLt: break;
  }
  int64_t number;
  if (!present || !ParseInt64(intern.ids.Text(value), number)) return false;
  return op == Op::kGt ? number > bound : number < bound;
}

bool NodeTermMatcher::Matches(const NodeFacts& node) const {
  if (nothing_) return false;
  for (uint32_t i = 0; i < n_expressions(); ++i) {
    const NodeRequirement requirement = expression(i);
    if (!requirement.HoldsFor(intern_, LabelValue(*node.labels, requirement.key))) return false;
  }
  // A node without fields: ignore field requirements.
  return node.name == base::kNoId || node.name == base::kEmptyId || FieldsMatch(node.name);
}

bool NodeTermMatcher::FieldsMatch(base::Id name) const {
  for (uint32_t i = 0; i < term_.fields.n; ++i) {
    const NodeRequirement requirement = RequirementAt(intern_, term_.fields, i);
    const base::Id value = requirement.key == intern_.metadata_name ? name : base::kEmptyId;
    if ((requirement.values[0] == value) != (requirement.op == NodeRequirement::Op::kIn)) return false;
  }
  return true;
}

bool NodeSelectorMatches(const berth_list& selector, const NodeFacts& node) {
  for (uint32_t i = 0; i < selector.n; ++i) {
    const auto* want = BERTH_AT(selector, berth_kv, i);
    if (LabelValue(*node.labels, want->key) != want->value) return false;
  }
  return true;
}

bool TermMatches(const InternTables& intern, const berth_node_term& term, const NodeFacts& node) {
  return NodeTermMatcher(intern, term).Matches(node);
}

bool RequiredMatches(const InternTables& intern, const berth_node_affinity& affinity, const NodeFacts& node) {
  if (!NodeSelectorMatches(affinity.selector, node)) return false;
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) == 0) return true;
  for (uint32_t i = 0; i < affinity.required.n; ++i) {
    if (TermMatches(intern, *BERTH_AT(affinity.required, berth_node_term, i), node)) return true;
  }
  return false;
}

std::string RequiredTermErrors(const InternTables& intern, const berth_node_affinity& affinity) {
  std::vector<FieldError> errors;
  CheckRequired(intern, affinity, {}, errors);
  return AggregateText(errors);
}

std::string PreferredTermErrors(const InternTables& intern, const berth_node_affinity& affinity) {
  std::vector<FieldError> errors;
  CheckPreferred(intern, affinity, "", errors);
  return AggregateText(errors);
}

}  // namespace berth::api
