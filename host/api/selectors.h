// Label selectors and node selectors over interned ids. Source: k8s.io/apimachinery/pkg/labels,
// k8s.io/component-helpers/scheduling/corev1/nodeaffinity. Thread: any; compiled selectors are immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/intern_tables.h"
#include "api/selector_block.h"
#include "codec/json/value.h"

namespace berth::api {

// path: relative to the value. detail: upstream's text.
using FieldErrorSink = std::function<void(std::string_view path, std::string_view detail)>;

// A valid label selector.
class LabelSelector {
 public:
  // A null value matches nothing. Returns null after errors.
  static std::unique_ptr<LabelSelector> Compile(InternTables& intern, const json::Value* selector,
                                                const FieldErrorSink& sink);
  explicit LabelSelector(SelectorRef block) : block_(std::move(block)) {}
  bool Matches(const berth_labels& labels) const { return block_->Matches(labels); }
  bool empty() const { return block_->empty(); }  // `{}`: matches everything

 private:
  SelectorRef block_;
};

// Reads a metav1.LabelSelector from a document. The block reports invalid content; members of a wrong type count as
// absent. Null: a nil selector.
SelectorRef ReadLabelSelector(InternTables& intern, const json::Value& selector);
// Reads a map of labels that must all be present.
SelectorRef ReadLabelMapSelector(InternTables& intern, const json::Value& map);

// The value id of a label; kNoId if the key is absent.
base::Id LabelValue(const berth_labels& labels, base::Id key);

// The attributes of a node that a term is matched against.
struct NodeFacts {
  const berth_labels* labels;
  base::Id name;
};

// A requirement of a node selector term without errors.
struct NodeRequirement {
  enum class Op : uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };
  base::Id key;
  Op op;
  const berth_id* values;  // n_values, of the term's block
  uint32_t n_values;
  int64_t bound;  // for kGt and kLt

  // Whether it holds for a node with this value of the key; kNoId: the node does not have the key.
  bool HoldsFor(const InternTables& intern, base::Id value) const;
};

// A node selector term, checked once and matched against many nodes. Allocates nothing if the term has no errors. The
// term must outlive it.
class NodeTermMatcher {
 public:
  NodeTermMatcher(const InternTables& intern, const berth_node_term& term);
  bool Matches(const NodeFacts& node) const;

  // True: matches nothing, because it is empty or has errors.
  bool nothing() const { return nothing_; }
  uint32_t n_expressions() const { return term_.expressions.n; }
  NodeRequirement expression(uint32_t i) const;  // only if nothing() is false
  bool has_fields() const { return term_.fields.n != 0; }

 private:
  bool FieldsMatch(base::Id name) const;

  const InternTables& intern_;
  const berth_node_term& term_;
  bool nothing_;
};

// Whether the node has all labels of a nodeSelector, a list of berth_kv.
bool NodeSelectorMatches(const berth_list& selector, const NodeFacts& node);
// Matches one term against one node: all expressions and fields must match. Empty terms and terms with errors
// match nothing.
bool TermMatches(const InternTables& intern, const berth_node_term& term, const NodeFacts& node);
// nodeSelector AND (one of the required terms, if `required` is set).
bool RequiredMatches(const InternTables& intern, const berth_node_affinity& affinity, const NodeFacts& node);

// Parse errors in the format of upstream's aggregate ("": none). Required: errors of the terms. Preferred: errors of
// the preferences that are not empty and have a weight other than 0.
std::string RequiredTermErrors(const InternTables& intern, const berth_node_affinity& affinity);
std::string PreferredTermErrors(const InternTables& intern, const berth_node_affinity& affinity);

// A v1.NodeAffinity in plugin args. nullptr after errors.
Ref<const NodeAffinityBlock> CompileNodeAffinity(InternTables& intern, const json::Value& affinity,
                                                 const FieldErrorSink& sink);

// A v1.NodeSelector of a document (a PersistentVolume's nodeAffinity.required) as required terms. Terms that do not
// parse match nothing. nullptr: the value is no NodeSelector.
Ref<const NodeAffinityBlock> ReadNodeSelector(InternTables& intern, const json::Value& selector);

}  // namespace berth::api
