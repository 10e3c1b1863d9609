// Matches node selector terms against rows by the labels of each node: for few rows, for terms with fields, and on
// threads that cannot use DomainMatching.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/selectors.h"
#include "berth/berth.h"
#include "scheduler/cache/cache.h"

namespace berth::framework {

// Rows, matched one after the other. Thread: any, while the cache does not change. At most one exists on a thread. rows
// and cache must outlive it.
class RowMatching {
 public:
  RowMatching(const cache::Cache& cache, const berth_rows& rows);

  // Sets bit i if the node of the i-th row matches; bits without a node and bits beyond rows.n are zero. out has
  // WordsFor(rows.n) words. The same answers as api::RequiredMatches and api::TermMatches.
  void Required(const berth_node_affinity& affinity, uint64_t* out) const;
  void Term(const api::NodeTermMatcher& matcher, uint64_t* out) const;

 private:
  template <class Match>
  void AddMatches(uint64_t* out, const Match& match) const;
  void AddTerm(const api::NodeTermMatcher& matcher, uint64_t* out) const;
  const api::Node& NodeAt(size_t i) const;

  const cache::Cache& cache_;
  const berth_rows& rows_;
  std::vector<uint64_t>& among_;  // the rows that are matched; at first, all that have a node
};

}  // namespace berth::framework
