// Label selectors as blocks, and the blocks of a pod that contain selectors. Equal selectors in two pods, two terms, or
// an object are the same block: one address and one `content`. Source: k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go
// LabelSelectorAsSelector, pkg/labels.
//
// Thread: any. Ownership: a block that points to selectors holds references to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/block.h"
#include "api/intern_tables.h"

namespace berth::api {

enum class LabelOp : uint8_t { kIn, kNotIn, kExists, kDoesNotExist };

class SelectorBlock : public Block<berth_selector> {
 public:
  // A nil selector and one with an error match nothing. An empty selector matches everything.
  bool Matches(const berth_labels& labels) const;
  // The error with upstream's text; "": none.
  const std::string& error() const { return error_; }
  bool set() const { return (abi.has & BERTH_SELECTOR_SET) != 0; }
  bool empty() const { return set() && abi.labels.n == 0 && abi.expressions.n == 0; }

  // Checks the selector in abi. The maker calls it once.
  void Compile(const InternTables& intern);

 private:
  bool nothing_ = true;
  std::vector<LabelOp> ops_;  // for abi.expressions
  std::string error_;
};
using SelectorRef = Ref<const SelectorBlock>;

// The block behind a selector that a pod or the matching service returned.
const SelectorBlock& SelectorBlockOf(const berth_selector* selector);

template <class Abi>
class SelectingBlock : public Block<Abi> {
 public:
  std::vector<SelectorRef> selectors;  // all selectors that abi points to
};
using PodAffinityBlock = SelectingBlock<berth_pod_affinity>;
class SpreadBlock : public SelectingBlock<berth_spread> {
 public:
  std::vector<bool> has_min_domains;  // of each item of abi.items: whether the manifest has the field
};

}  // namespace berth::api
