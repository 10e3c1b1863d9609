#include <algorithm>

#include "api/selector_errors.h"
#include "api/selectors.h"

namespace berth::api {
namespace {

bool ContainsId(const berth_id* ids, uint32_t n, base::Id id) { return std::find(ids, ids + n, id) != ids + n; }

}  // namespace

base::Id LabelValue(const berth_labels& labels, base::Id key) {
  for (uint32_t i = 0; i < labels.items.n; ++i) {
    const auto* label = BERTH_AT(labels.items, berth_kv, i);
    if (label->key == key) return label->value;
  }
  return base::kNoId;
}

NodeTermMatcher::NodeTermMatcher(const InternTables& intern, const berth_node_term& term) : intern_(intern) {
  std::vector<FieldError> errors;
  CheckNodeTerm(intern, term, {}, errors);
  nothing_ = !errors.empty() || (term.expressions.n == 0 && term.fields.n == 0);
  if (nothing_) return;
  using Op = NodeRequirement::Op;
  const std::pair<base::Id, Op> ops[] = {{intern.op_in, Op::kIn},         {intern.op_not_in, Op::kNotIn},
                                         {intern.op_exists, Op::kExists}, {intern.op_does_not_exist, Op::kDoesNotExist},
                                         {intern.op_gt, Op::kGt},         {intern.op_lt, Op::kLt}};
  const auto compile = [&](const berth_list& list, std::vector<NodeRequirement>& out) {
    out.reserve(list.n);
    for (uint32_t i = 0; i < list.n; ++i) {
      const auto* raw = BERTH_AT(list, berth_node_requirement, i);
      NodeRequirement requirement{raw->key, Op::kIn, static_cast<const berth_id*>(raw->values.ptr), raw->values.n, 0};
      for (const auto& [id, op] : ops) {
        if (raw->op == id) requirement.op = op;
      }
      if (requirement.op == Op::kGt || requirement.op == Op::kLt) {
        ParseInt64(intern.ids.Text(requirement.values[0]), requirement.bound);
      }
      out.push_back(requirement);
    }
  };
  compile(term.expressions, expressions_);
  compile(term.fields, fields_);
}

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
  for (const NodeRequirement& requirement : expressions_) {
    if (!requirement.HoldsFor(intern_, LabelValue(*node.labels, requirement.key))) return false;
  }
  if (node.name == base::kNoId || node.name == base::kEmptyId)
    return true;  // a node without fields: ignore field requirements
  for (const NodeRequirement& requirement : fields_) {
    const base::Id value = requirement.key == intern_.metadata_name ? node.name : base::kEmptyId;
    if ((requirement.values[0] == value) != (requirement.op == NodeRequirement::Op::kIn)) return false;
  }
  return true;
}

RequiredMatcher::RequiredMatcher(const InternTables& intern, const berth_node_affinity& affinity)
    : selector_(affinity.selector), has_terms_((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) != 0) {
  if (!has_terms_) return;
  terms_.reserve(affinity.required.n);
  for (uint32_t i = 0; i < affinity.required.n; ++i) {
    terms_.emplace_back(intern, *BERTH_AT(affinity.required, berth_node_term, i));
  }
}

bool RequiredMatcher::Matches(const NodeFacts& node) const {
  for (uint32_t i = 0; i < selector_.n; ++i) {
    const auto* want = BERTH_AT(selector_, berth_kv, i);
    if (LabelValue(*node.labels, want->key) != want->value) return false;
  }
  if (!has_terms_) return true;
  return std::any_of(terms_.begin(), terms_.end(), [&](const NodeTermMatcher& term) { return term.Matches(node); });
}

bool TermMatches(const InternTables& intern, const berth_node_term& term, const NodeFacts& node) {
  return NodeTermMatcher(intern, term).Matches(node);
}

bool RequiredMatches(const InternTables& intern, const berth_node_affinity& affinity, const NodeFacts& node) {
  return RequiredMatcher(intern, affinity).Matches(node);
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
