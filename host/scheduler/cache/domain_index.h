// Topology domains: the rows' values of each requested label key, as dense ordinals. A domain without rows keeps its
// ordinal in case it comes back. If there are many such empty domains, all ordinals are assigned again.
//
// The index reads the log of changed labels at each call. Thread: the scheduling thread. Ownership: owns one reference
// of every key and value.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "api/intern_tables.h"
#include "base/row_log.h"
#include "berth/domains.h"
#include "scheduler/cache/use_clock.h"

namespace berth::cache {

class Cache;

// The domains of one key. The arrays do not move until the next change of the cache.
struct Domains {
  std::vector<uint32_t> of_row;  // capacity of the cache; BERTH_NO_DOMAIN
  std::vector<base::Id> values;  // by ordinal
  std::vector<uint32_t> n_rows;  // by ordinal
  uint64_t numbering = 0;        // unique over all keys

  std::unordered_map<base::Id, uint32_t> ordinals;  // of values
  uint32_t ghosts = 0;                              // ordinals without a row
  base::RowLog::Position read = 0;
  UseClock::Time used = 0;
};

class DomainIndex {
 public:
  static constexpr size_t kKeys = 64;

  explicit DomainIndex(api::InternTables& intern) : intern_(intern) {}
  ~DomainIndex();
  DomainIndex(const DomainIndex&) = delete;

  // The first call for a key reads all rows; later calls read only rows with changed labels. Valid until the cycle
  // ends.
  const Domains& Of(Cache& cache, base::Id key);
  // Like Of, but null if the key is new and this cycle already uses kKeys others: for keys of which a pod can name any
  // number.
  const Domains* IfRoom(Cache& cache, base::Id key);
  // Like Of, but null if the key is new.
  const Domains* IfKept(Cache& cache, base::Id key);
  // Removes the keys used longest ago if there are more than kKeys.
  void BeginCycle();

  std::vector<base::Id> Keys() const;
  // Like Of for a key in the index, but does not count as a use.
  const Domains& Kept(Cache& cache, base::Id key);

 private:
  const Domains& Use(Cache& cache, base::Id key, Domains& domains);
  const Domains& Add(Cache& cache, base::Id key);
  void Update(Cache& cache, base::Id key, Domains& domains);
  void Rebuild(Cache& cache, base::Id key, Domains& domains);
  void Show(Domains& domains, uint32_t row, base::Id value);
  void Clear(Domains& domains);
  void MakeRoom();

  using KeptDomains = std::unordered_map<base::Id, std::unique_ptr<Domains>>;
  KeptDomains::iterator Forget(KeptDomains::iterator at);

  api::InternTables& intern_;
  KeptDomains kept_;
  UseClock clock_;
  uint64_t numberings_ = 0;
};

}  // namespace berth::cache
