// Matches node selector terms against many rows at once. A requirement is compared with the topology domains of its key
// (one number for each row), not with the labels of each node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/selectors.h"
#include "berth/berth.h"
#include "scheduler/cache/cache.h"

namespace berth::framework {

// Below this number of rows, reading the labels of the nodes takes less time.
inline constexpr uint32_t kDomainMatchingFrom = 16;

// Rows, matched one term after the other. Thread: that of the cycle, not inside a Parallelizer run, because the cache
// numbers the domains of a key when it is asked for the first time. At most one exists on a thread. rows and cache must
// outlive it.
class DomainMatching {
 public:
  DomainMatching(cache::Cache& cache, const berth_rows& rows);

  // Sets bit i if the node of the i-th row matches; bits without a node and bits beyond rows.n are zero. out has
  // WordsFor(rows.n) words. The same answers as RequiredMatches and TermMatches. False, and out is undefined: a term
  // has fields, which are not labels, or the cache does not number the domains of a key: for few rows it does not begin
  // to, and a cycle cannot use more keys than the cache keeps.
  bool Required(const berth_node_affinity& affinity, uint64_t* out) const;
  bool Term(const api::NodeTermMatcher& matcher, uint64_t* out) const;

 private:
  const cache::Domains* DomainsOf(base::Id key) const;
  bool AnyOf(const uint64_t* words) const;
  bool And(const api::NodeRequirement& requirement, uint64_t* out) const;
  bool AnyTerm(const berth_list& terms, std::vector<uint64_t>& any) const;  // of berth_node_term
  const uint32_t* OrdinalsOf(const cache::Domains& domains) const;

  cache::Cache& cache_;
  const berth_rows& rows_;
  size_t n_words_;
  bool aligned_;  // row 64 * w + i of the cache, shifted by whole words, is bit i of word w
  std::vector<uint64_t>& nodes_;
};

}  // namespace berth::framework
