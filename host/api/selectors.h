// Label selectors and node selectors over interned ids.
// Source: k8s.io/apimachinery/pkg/labels, k8s.io/component-helpers/scheduling/corev1/nodeaffinity;
// in-tree-plugins.md 1.6. Thread: any; compiled selectors are immutable.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/block.h"
#include "api/selector_block.h"
#include "api/vocabulary.h"
#include "json/value.h"

namespace berth::api {

// path relative to the value handed in; detail: upstream's text.
using FieldErrorSink = std::function<void(std::string_view path, std::string_view detail)>;

// A label selector that was judged good.
class LabelSelector {
 public:
  // nullptr value: matches nothing. nullptr result after errors.
  static std::unique_ptr<LabelSelector> Compile(Vocabulary& words, const json::Value* selector,
                                                const FieldErrorSink& sink);
  explicit LabelSelector(SelectorRef block) : block_(std::move(block)) {}
  bool Matches(const berth_labels& labels) const { return block_->Matches(labels); }
  bool empty() const { return block_->empty(); }  // `{}`: matches everything

 private:
  SelectorRef block_;
};

// A metav1.LabelSelector written in a document, judged by the block itself; what has a wrong type counts as absent.
// Null: a nil selector.
SelectorRef ReadLabelSelector(Vocabulary& words, const json::Value& selector);
// The same of a map of labels that must all be there.
SelectorRef ReadLabelMapSelector(Vocabulary& words, const json::Value& map);

// The value id of a label; kNoId when the key is absent.
base::Id LabelValue(const berth_labels& labels, base::Id key);

// The node a term is judged against.
struct NodeFacts {
  const berth_labels* labels;
  base::Id name;
};

// A node selector term, parsed once and then asked about many nodes. Borrows: the term's block must outlive it.
class NodeTermMatcher {
 public:
  NodeTermMatcher(const Vocabulary& words, const berth_node_term& term);
  bool Matches(const NodeFacts& node) const;

 private:
  enum class Op : uint8_t { kIn, kNotIn, kExists, kDoesNotExist, kGt, kLt };
  struct Requirement {
    base::Id key;
    Op op;
    const berth_id* values;
    uint32_t n_values;
    int64_t bound;  // of kGt and kLt
  };
  bool Holds(const Requirement& requirement, const berth_labels& labels) const;

  const Vocabulary& words_;
  bool nothing_ = false;  // empty, or with parse errors
  std::vector<Requirement> expressions_, fields_;
};

// nodeSelector AND (one of the required terms, when required is set), parsed once. Borrows like NodeTermMatcher.
class RequiredMatcher {
 public:
  RequiredMatcher(const Vocabulary& words, const berth_node_affinity& affinity);
  bool Matches(const NodeFacts& node) const;
  // True when every node matches: no node selector entry and no required terms.
  bool trivial() const { return selector_.n == 0 && !has_terms_; }

 private:
  berth_list selector_;
  bool has_terms_;
  std::vector<NodeTermMatcher> terms_;
};

// The same for a single question.
// One term: every expression and field must hold. Empty terms and terms with parse errors match nothing.
bool TermMatches(const Vocabulary& words, const berth_node_term& term, const NodeFacts& node);
// nodeSelector AND (one of the required terms, when required is set).
bool RequiredMatches(const Vocabulary& words, const berth_node_affinity& affinity, const NodeFacts& node);

// Parse errors, joined as upstream's aggregate prints them ("" = none). Required: errors of the terms; preferred: of
// the preferences with weight != 0 that are not empty.
std::string RequiredTermErrors(const Vocabulary& words, const berth_node_affinity& affinity);
std::string PreferredTermErrors(const Vocabulary& words, const berth_node_affinity& affinity);

// A v1.NodeAffinity given in plugin args. nullptr after errors.
Ref<const NodeAffinityBlock> CompileNodeAffinity(Vocabulary& words, const json::Value& affinity,
                                                 const FieldErrorSink& sink);

// A v1.NodeSelector of a document (a PersistentVolume's nodeAffinity.required) as required terms; those that do not
// parse match nothing. nullptr: it is of another shape.
Ref<const NodeAffinityBlock> ReadNodeSelector(Vocabulary& words, const json::Value& selector);

}  // namespace berth::api
