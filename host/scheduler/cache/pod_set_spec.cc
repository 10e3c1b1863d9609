#include "scheduler/cache/pod_set_spec.h"

#include <algorithm>
#include <cstring>

#include "api/selectors.h"
#include "base/random.h"

namespace berth::cache {
namespace {

template <class T, class Fn>
bool AnyOf(const berth_list& list, Fn&& fn) {
  for (uint32_t i = 0; i < list.n; ++i) {
    if (fn(*BERTH_AT(list, T, i))) return true;
  }
  return false;
}

bool Holds(const berth_pod_match& match, const PodTraits& pod) {
  const bool here = (match.flags & BERTH_POD_MATCH_EVERY_NAMESPACE) != 0 ||
                    AnyOf<berth_id>(match.namespaces, [&](berth_id ns) { return ns == pod.ns; });
  if (!here) return false;
  const bool differs = AnyOf<berth_kv>(
      match.labels, [&](const berth_kv& pair) { return api::LabelValue(*pod.labels, pair.key) != pair.value; });
  return !differs && (match.selector == nullptr || api::SelectorBlockOf(match.selector).Matches(*pod.labels));
}

template <class T>
std::vector<T> CopyOf(const berth_list& list) {
  std::vector<T> items;
  items.reserve(list.n);
  for (uint32_t i = 0; i < list.n; ++i) items.push_back(*BERTH_AT(list, T, i));
  return items;
}

}  // namespace

bool IsKnown(const berth_pod_set& set) {
  if (set.size < sizeof(berth_pod_set) || (set.flags & ~BERTH_POD_SET_NOT_DELETED) != 0) return false;
  return !AnyOf<berth_pod_match>(
      set.all_of, [](const berth_pod_match& match) { return (match.flags & ~BERTH_POD_MATCH_EVERY_NAMESPACE) != 0; });
}

bool Contains(const berth_pod_set& set, const PodTraits& pod) {
  if ((set.flags & BERTH_POD_SET_NOT_DELETED) != 0 && pod.deleted) return false;
  return !AnyOf<berth_pod_match>(set.all_of, [&](const berth_pod_match& match) { return !Holds(match, pod); });
}

// ---- key ----

void PodSetKey::Assign(const berth_pod_set& set) {
  words_.assign({set.flags, set.all_of.n});
  for (uint32_t m = 0; m < set.all_of.n; ++m) {
    const berth_pod_match& match = *BERTH_AT(set.all_of, berth_pod_match, m);
    words_.push_back(match.flags);
    words_.push_back(match.selector == nullptr ? 0 : match.selector->content);  // `content` starts at 1
    size_t from = words_.size();
    for (uint32_t i = 0; i < match.labels.n; ++i) {
      const berth_kv& pair = *BERTH_AT(match.labels, berth_kv, i);
      words_.push_back(pair.key);
      words_.push_back(pair.value);
    }
    AddSorted(from, 2);
    from = words_.size();
    const bool everywhere = (match.flags & BERTH_POD_MATCH_EVERY_NAMESPACE) != 0;
    for (uint32_t i = 0; !everywhere && i < match.namespaces.n; ++i) {
      words_.push_back(*BERTH_AT(match.namespaces, berth_id, i));
    }
    AddSorted(from, 1);
  }
  hash_ = 0;
  for (uint32_t word : words_) hash_ = base::Mix(hash_ ^ word);
}

// Sorts the records of `step` numbers that start at `from`, removes duplicates, and appends the number of records.
void PodSetKey::AddSorted(size_t from, size_t step) {
  const size_t n = (words_.size() - from) / step;
  if (n > 1 && step == 1) {
    std::sort(words_.begin() + static_cast<ptrdiff_t>(from), words_.end());
    words_.erase(std::unique(words_.begin() + static_cast<ptrdiff_t>(from), words_.end()), words_.end());
  } else if (n > 1) {
    auto* pairs = reinterpret_cast<berth_kv*>(words_.data() + from);
    static_assert(sizeof(berth_kv) == 2 * sizeof(uint32_t));
    const auto order = [](const berth_kv& a, const berth_kv& b) {
      return a.key != b.key ? a.key < b.key : a.value < b.value;
    };
    std::sort(pairs, pairs + n, order);
    const auto* end = std::unique(
        pairs, pairs + n, [](const berth_kv& a, const berth_kv& b) { return a.key == b.key && a.value == b.value; });
    words_.resize(from + 2 * static_cast<size_t>(end - pairs));
  }
  words_.push_back(static_cast<uint32_t>((words_.size() - from) / step));
}

// ---- copy ----

OwnedPodSet::OwnedPodSet(api::InternTables& words, const berth_pod_set& set)
    : words_(words), abi_{sizeof abi_, set.flags, {}} {
  matches_.reserve(set.all_of.n);
  for (uint32_t i = 0; i < set.all_of.n; ++i) {
    const berth_pod_match& from = *BERTH_AT(set.all_of, berth_pod_match, i);
    Match& match = matches_.emplace_back();
    if (from.selector != nullptr) match.selector = api::SelectorRef(&api::SelectorBlockOf(from.selector));
    match.labels = CopyOf<berth_kv>(from.labels);
    match.namespaces = CopyOf<berth_id>(from.namespaces);
    for (const berth_kv& pair : match.labels) {
      words_.ids.Keep(pair.key);
      words_.ids.Keep(pair.value);
    }
    for (base::Id ns : match.namespaces) words_.ids.Keep(ns);
    const auto list = [](const auto& items) {
      return berth_list{items.data(), static_cast<uint32_t>(items.size()), sizeof(items[0])};
    };
    abi_matches_.push_back(
        {from.flags, 0, match.selector ? &match.selector->abi : nullptr, list(match.labels), list(match.namespaces)});
  }
  abi_.all_of = {abi_matches_.data(), static_cast<uint32_t>(abi_matches_.size()), sizeof(berth_pod_match)};
}

OwnedPodSet::~OwnedPodSet() {
  for (const Match& match : matches_) {
    for (const berth_kv& pair : match.labels) {
      words_.ids.Drop(pair.key);
      words_.ids.Drop(pair.value);
    }
    for (base::Id ns : match.namespaces) words_.ids.Drop(ns);
  }
}

}  // namespace berth::cache
