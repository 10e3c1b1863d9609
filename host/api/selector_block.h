// Label selectors as blocks, and the blocks of a pod that hold selectors. A selector is a block of its own, so that the
// same selector in two pods, two terms or an object has one address and one `content`.
// Source of the rules: k8s.io/apimachinery/pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector, pkg/labels.
//
// Thread: any. Ownership: a block that points at selectors holds them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/block.h"
#include "api/vocabulary.h"

namespace berth::api {

enum class LabelOp : uint8_t { kIn, kNotIn, kExists, kDoesNotExist };

class SelectorBlock : public Block<berth_selector> {
 public:
  // A nil selector and one with an error match nothing, an empty one everything.
  bool Matches(const berth_labels& labels) const;
  // Why it does not compile, as upstream says it; "" = it does.
  const std::string& error() const { return error_; }
  bool set() const { return (abi.has & BERTH_SELECTOR_SET) != 0; }
  bool empty() const { return set() && abi.labels.n == 0 && abi.expressions.n == 0; }

  // Judges what abi shows; once, by the maker.
  void Compile(const Vocabulary& words);

 private:
  bool nothing_ = true;
  std::vector<LabelOp> ops_;  // of abi.expressions
  std::string error_;
};
using SelectorRef = Ref<const SelectorBlock>;

// The block behind a selector that a pod or the matching service showed.
const SelectorBlock& SelectorBlockOf(const berth_selector* selector);

template <class Abi>
class SelectingBlock : public Block<Abi> {
 public:
  std::vector<SelectorRef> selectors;  // everything that abi points at
};
using PodAffinityBlock = SelectingBlock<berth_pod_affinity>;
using SpreadBlock = SelectingBlock<berth_spread>;

}  // namespace berth::api
