#include "scheduler/framework/row_matching.h"

#include <algorithm>
#include <bit>

#include "base/bitmap.h"
#include "scheduler/framework/node_rows.h"

namespace berth::framework {
namespace {

// Memory that calls of this thread reuse. It grows with the number of rows only.
std::vector<uint64_t>& Memory() {
  thread_local std::vector<uint64_t> words;
  return words;
}

}  // namespace

RowMatching::RowMatching(const cache::Cache& cache, const berth_rows& rows)
    : cache_(cache), rows_(rows), among_(Memory()) {
  among_.assign(base::Bitmap::WordsFor(rows.n), 0);
  SetWhereNode(cache, rows, among_.data());
}

const api::Node& RowMatching::NodeAt(size_t i) const { return *cache_.node(RowAt(rows_, i)); }

// Matches the rows of among_ whose bits in out are not set.
template <class Match>
void RowMatching::AddMatches(uint64_t* out, const Match& match) const {
  for (size_t w = 0; w < among_.size(); ++w) {
    for (uint64_t rest = among_[w] & ~out[w]; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<size_t>(std::countr_zero(rest));
      const api::Node& node = NodeAt(w * 64 + bit);
      if (match(api::NodeFacts{&node.labels->abi, node.abi.name})) out[w] |= uint64_t{1} << bit;
    }
  }
}

void RowMatching::Required(const berth_node_affinity& affinity, uint64_t* out) const {
  std::fill_n(out, among_.size(), 0);
  AddMatches(out, [&](const api::NodeFacts& node) { return api::NodeSelectorMatches(affinity.selector, node); });
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) == 0) return;
  std::copy_n(out, among_.size(), among_.data());
  std::fill_n(out, among_.size(), 0);
  for (uint32_t i = 0; i < affinity.required.n; ++i) {
    AddTerm({cache_.intern(), *BERTH_AT(affinity.required, berth_node_term, i)}, out);
  }
}

void RowMatching::Term(const api::NodeTermMatcher& matcher, uint64_t* out) const {
  std::fill_n(out, among_.size(), 0);
  AddTerm(matcher, out);
}

void RowMatching::AddTerm(const api::NodeTermMatcher& matcher, uint64_t* out) const {
  if (matcher.nothing()) return;
  AddMatches(out, [&](const api::NodeFacts& node) { return matcher.Matches(node); });
}

}  // namespace berth::framework
