#include "scheduler/framework/domain_matching.h"

#include <algorithm>
#include <array>

#include "base/wide.h"
#include "berth/domains.h"
#include "plugin/instance/known_id.h"
#include "scheduler/framework/node_rows.h"

namespace berth::framework {
namespace {

using Op = api::NodeRequirement::Op;

// Requirements that name more domains look the ordinals up in a table.
constexpr size_t kMostCompared = 4;

// Memory that calls of this thread reuse. It grows with the number of rows and of domains only.
struct MatchingMemory {
  std::vector<uint64_t> nodes, any, one;
  std::vector<uint32_t> ordinals;
  std::vector<uint8_t> holds;
};
MatchingMemory& Memory() {
  thread_local MatchingMemory memory;
  return memory;
}

// Keeps the bits of the ordinals that are one of those wanted; with flip ~0, of those that are not.
BERTH_WIDE void KeepWanted(const uint32_t* ordinals, const uint32_t* wanted, size_t n_wanted, uint64_t flip,
                           uint64_t* words, size_t n) {
  for (size_t w = 0; w < n; ++w, ordinals += 64) {
    uint64_t found = 0;
    for (size_t k = 0; k < n_wanted; ++k) {
      const uint32_t want = wanted[k];
      for (size_t i = 0; i < 64; ++i) found |= uint64_t{ordinals[i] == want} << i;
    }
    words[w] &= found ^ flip;
  }
}

// Keeps the bits of the ordinals for which holds is 1. The last entry of holds is that of rows without a domain.
void KeepWhereHolds(const uint32_t* ordinals, const std::vector<uint8_t>& holds, uint64_t* words, size_t n) {
  const auto none = static_cast<uint32_t>(holds.size() - 1);
  for (size_t w = 0; w < n; ++w, ordinals += 64) {
    uint64_t found = 0;
    for (size_t i = 0; i < 64; ++i) found |= uint64_t{holds[std::min(ordinals[i], none)]} << i;
    words[w] &= found;
  }
}

// The ordinals that a requirement names.
struct Wanted {
  std::array<uint32_t, kMostCompared> ordinals;
  size_t n = 0;
  uint64_t flip = 0;
};

bool FindWanted(const api::NodeRequirement& requirement, const cache::Domains& domains, Wanted& out) {
  out.flip = requirement.op == Op::kNotIn || requirement.op == Op::kExists ? ~uint64_t{0} : 0;
  if (requirement.op == Op::kExists || requirement.op == Op::kDoesNotExist) {
    out.ordinals[out.n++] = BERTH_NO_DOMAIN;
    return true;
  }
  if (requirement.op != Op::kIn && requirement.op != Op::kNotIn) return false;
  for (uint32_t i = 0; i < requirement.n_values; ++i) {
    const auto at = domains.ordinals.find(requirement.values[i]);
    if (at == domains.ordinals.end()) continue;
    if (out.n == kMostCompared) return false;
    out.ordinals[out.n++] = at->second;
  }
  return true;
}

// In and NotIn look up each value once: a pod can name very many.
void TabulateDomains(const api::InternTables& intern, const api::NodeRequirement& requirement,
                     const cache::Domains& domains, std::vector<uint8_t>& holds) {
  const bool in = requirement.op == Op::kIn;
  if (in || requirement.op == Op::kNotIn) {
    holds.assign(domains.values.size() + 1, in ? 0 : 1);
    for (uint32_t i = 0; i < requirement.n_values; ++i) {
      const auto at = domains.ordinals.find(requirement.values[i]);
      if (at != domains.ordinals.end()) holds[at->second] = in ? 1 : 0;
    }
    return;
  }
  holds.clear();
  for (const base::Id value : domains.values) holds.push_back(requirement.HoldsFor(intern, value));
  holds.push_back(requirement.HoldsFor(intern, base::kNoId));
}

}  // namespace

DomainMatching::DomainMatching(cache::Cache& cache, const berth_rows& rows)
    : cache_(cache),
      rows_(rows),
      n_words_(base::Bitmap::WordsFor(rows.n)),
      aligned_(rows.rows == nullptr && rows.first % 64 == 0 && rows.first + n_words_ * 64 <= cache.capacity()),
      nodes_(Memory().nodes) {
  nodes_.assign(n_words_, 0);
  if (aligned_) {
    std::copy_n(cache.live().words() + rows.first / 64, n_words_, nodes_.data());
    if (rows.n % 64 != 0) nodes_.back() &= (uint64_t{1} << (rows.n % 64)) - 1;
    return;
  }
  SetWhereNode(cache, rows, nodes_.data());
}

bool DomainMatching::Required(const berth_node_affinity& affinity, uint64_t* out) const {
  std::copy(nodes_.begin(), nodes_.end(), out);
  for (uint32_t i = 0; i < affinity.selector.n; ++i) {
    const auto* want = BERTH_AT(affinity.selector, berth_kv, i);
    if (!And({want->key, Op::kIn, &want->value, 1, 0}, out)) return false;
  }
  if ((affinity.has & BERTH_NODE_AFFINITY_REQUIRED) == 0) return true;
  std::vector<uint64_t>& any = Memory().any;
  if (!AnyTerm(affinity.required, any)) return false;
  for (size_t w = 0; w < n_words_; ++w) out[w] &= any[w];
  return true;
}

bool DomainMatching::AnyTerm(const berth_list& terms, std::vector<uint64_t>& any) const {
  std::vector<uint64_t>& one = Memory().one;
  any.assign(n_words_, 0);
  one.resize(n_words_);
  for (uint32_t i = 0; i < terms.n; ++i) {
    if (!Term({cache_.intern(), *BERTH_AT(terms, berth_node_term, i)}, one.data())) return false;
    for (size_t w = 0; w < n_words_; ++w) any[w] |= one[w];
  }
  return true;
}

bool DomainMatching::Term(const api::NodeTermMatcher& matcher, uint64_t* out) const {
  if (matcher.nothing()) {
    std::fill_n(out, n_words_, 0);
    return true;
  }
  if (matcher.has_fields()) return false;
  std::copy(nodes_.begin(), nodes_.end(), out);
  for (uint32_t i = 0; i < matcher.n_expressions(); ++i) {
    if (!And(matcher.expression(i), out)) return false;
  }
  return true;
}

// To number the domains of a new key, the cache reads the labels of all nodes.
const cache::Domains* DomainMatching::DomainsOf(base::Id key) const {
  if (!plugin::IsKnownId(cache_.intern().ids, key)) return nullptr;
  cache::DomainIndex& index = cache_.affinity_domains();
  return rows_.n >= cache_.n_nodes() / 4 ? index.IfRoom(cache_, key) : index.IfKept(cache_, key);
}

bool DomainMatching::AnyOf(const uint64_t* words) const {
  return std::any_of(words, words + n_words_, [](uint64_t word) { return word != 0; });
}

bool DomainMatching::And(const api::NodeRequirement& requirement, uint64_t* out) const {
  if (!AnyOf(out)) return true;
  const cache::Domains* domains = DomainsOf(requirement.key);
  if (domains == nullptr) return false;
  const uint32_t* const ordinals = OrdinalsOf(*domains);
  Wanted wanted;
  if (FindWanted(requirement, *domains, wanted)) {
    KeepWanted(ordinals, wanted.ordinals.data(), wanted.n, wanted.flip, out, n_words_);
    return true;
  }
  std::vector<uint8_t>& holds = Memory().holds;
  TabulateDomains(cache_.intern(), requirement, *domains, holds);
  KeepWhereHolds(ordinals, holds, out, n_words_);
  return true;
}

// n_words_ * 64 of them.
const uint32_t* DomainMatching::OrdinalsOf(const cache::Domains& domains) const {
  if (aligned_) return domains.of_row.data() + rows_.first;
  std::vector<uint32_t>& ordinals = Memory().ordinals;
  ordinals.assign(n_words_ * 64, BERTH_NO_DOMAIN);
  for (uint32_t i = 0; i < rows_.n; ++i) {
    if (const uint32_t row = RowAt(rows_, i); row < cache_.capacity()) ordinals[i] = domains.of_row[row];
  }
  return ordinals.data();
}

}  // namespace berth::framework
