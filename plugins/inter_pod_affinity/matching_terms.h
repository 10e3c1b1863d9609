// The existing pods' terms that match a pod, cached by the pod's labels and namespace: pods of one template have the
// same result, and terms change less often than pods. [serial]
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "term_index.h"

namespace plugins::inter_pod {

class MatchingTerms {
 public:
  // The numbers of terms by effect. Valid until the index changes or the next call.
  struct Lists {
    std::array<std::vector<uint32_t>, static_cast<size_t>(Effect::kEffects)> by_effect;
    const std::vector<uint32_t>& Of(Effect effect) const { return by_effect[static_cast<size_t>(effect)]; }
  };

  // ns_labels: the labels of the pod's namespace; null: none.
  template <class Match>
  const Lists& Find(const TermIndex& index, const berth_pod& pod, const berth_labels* ns_labels,
                    const NegativeWords& words, Match&& match) {
    const Question asked{index.version(), pod.labels->content, pod.ns, ns_labels == nullptr ? 0 : ns_labels->content};
    Known& known = known_[asked.Slot()];
    if (known.asked == asked) return known.lists;
    known.asked = {};
    for (auto& list : known.lists.by_effect) list.clear();
    index.EachAbout(pod.ns, [&](uint32_t number, const ExistingTerm& term) {
      if (term.SelectsNamespaces() && !std::binary_search(term.namespaces.begin(), term.namespaces.end(), pod.ns) &&
          !SelectsNamespace(*term.namespace_selector, ns_labels, words, match)) {
        return;
      }
      if (match(*term.selector, *pod.labels)) known.lists.by_effect[static_cast<size_t>(term.effect)].push_back(number);
    });
    known.asked = asked;
    return known.lists;
  }

 private:
  struct Question {
    uint64_t version = 0;  // 0: not computed
    uint32_t labels = 0, ns = 0, ns_labels = 0;
    bool operator==(const Question&) const = default;
    size_t Slot() const { return (labels * 0x9E3779B1u ^ ns * 0x85EBCA77u ^ ns_labels) % kSlots; }
  };
  struct Known {
    Question asked;
    Lists lists;
  };
  static constexpr size_t kSlots = 64;
  std::array<Known, kSlots> known_;
};

}  // namespace plugins::inter_pod
