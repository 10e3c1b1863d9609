// Topology domains: for each label key that was asked about, the rows' values as dense ordinals. A domain that lost its
// last row keeps its ordinal for when it comes back; when such ghosts are many, all are numbered anew.
//
// Brought up to date when asked, from the log of rows whose labels changed. Thread: scheduling thread. Ownership: owns
// one reference of every key and value it shows.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "api/vocabulary.h"
#include "berth/draft/domains.h"
#include "cache/row_log.h"
#include "cache/use_clock.h"

namespace berth::cache {

class Cache;

// One key. The arrays stay where they are until the next change of the cache.
struct Domains {
  std::vector<uint32_t> of_row;  // capacity of the cache; BERTH_NO_DOMAIN
  std::vector<base::Id> values;  // by ordinal
  std::vector<uint32_t> n_rows;  // by ordinal
  uint64_t numbering = 0;        // of all keys, each number once

  std::unordered_map<base::Id, uint32_t> ordinals;  // of values
  uint32_t ghosts = 0;                              // ordinals without a row
  RowLog::Position read = 0;
  UseClock::Time used = 0;
};

class DomainIndex {
 public:
  static constexpr size_t kKeys = 64;

  explicit DomainIndex(api::Vocabulary& words) : words_(words) {}
  ~DomainIndex();
  DomainIndex(const DomainIndex&) = delete;

  // The first use of a key walks all rows, later ones only those whose labels changed. Good until the cycle ends.
  const Domains& Of(Cache& cache, base::Id key);
  // What was used before may make room from now on, and does if there are more than kKeys.
  void BeginCycle();

  std::vector<base::Id> Keys() const;
  // As Of for a key that is kept, without counting as a use.
  const Domains& Kept(Cache& cache, base::Id key);

 private:
  void Update(Cache& cache, base::Id key, Domains& domains);
  void Rebuild(Cache& cache, base::Id key, Domains& domains);
  void Show(Domains& domains, uint32_t row, base::Id value);
  void Clear(Domains& domains);
  void MakeRoom();

  using KeptDomains = std::unordered_map<base::Id, std::unique_ptr<Domains>>;
  KeptDomains::iterator Forget(KeptDomains::iterator at);

  api::Vocabulary& words_;
  KeptDomains kept_;
  UseClock clock_;
  uint64_t numberings_ = 0;
};

}  // namespace berth::cache
