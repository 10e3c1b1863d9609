#include "scheduler/cache/domain_index.h"

#include <bit>
#include <iterator>

#include "api/selectors.h"
#include "base/resize_exactly.h"
#include "scheduler/cache/cache.h"

namespace berth::cache {
namespace {

constexpr int kLabelLog = std::countr_zero(BERTH_ROW_LABELS);
constexpr uint32_t kFewGhosts = 64;

base::Id ValueOn(const Cache& cache, uint32_t row, base::Id key) {
  const api::Node* node = cache.node(row);
  return node == nullptr ? base::kNoId : api::LabelValue(node->labels->abi, key);
}

UseClock::Time UsedOf(const std::unique_ptr<Domains>& domains) { return domains->used; }

}  // namespace

DomainIndex::~DomainIndex() {
  for (auto& [key, domains] : kept_) {
    Clear(*domains);
    intern_.ids.Drop(key);
  }
}

const Domains& DomainIndex::Of(Cache& cache, base::Id key) {
  if (const Domains* kept = IfKept(cache, key)) return *kept;
  MakeRoom();
  return Add(cache, key);
}

const Domains* DomainIndex::IfRoom(Cache& cache, base::Id key) {
  if (const Domains* kept = IfKept(cache, key)) return kept;
  MakeRoom();
  return kept_.size() < kKeys ? &Add(cache, key) : nullptr;
}

const Domains* DomainIndex::IfKept(Cache& cache, base::Id key) {
  const auto at = kept_.find(key);
  return at == kept_.end() ? nullptr : &Use(cache, key, *at->second);
}

const Domains& DomainIndex::Use(Cache& cache, base::Id key, Domains& domains) {
  domains.used = clock_.Use();
  Update(cache, key, domains);
  return domains;
}

const Domains& DomainIndex::Add(Cache& cache, base::Id key) {
  intern_.ids.Keep(key);
  Domains& domains = *kept_.emplace(key, std::make_unique<Domains>()).first->second;
  Rebuild(cache, key, domains);
  return Use(cache, key, domains);
}

const Domains& DomainIndex::Kept(Cache& cache, base::Id key) {
  Domains& domains = *kept_.at(key);
  Update(cache, key, domains);
  return domains;
}

std::vector<base::Id> DomainIndex::Keys() const {
  std::vector<base::Id> keys;
  for (const auto& [key, domains] : kept_) keys.push_back(key);
  return keys;
}

void DomainIndex::Update(Cache& cache, base::Id key, Domains& domains) {
  base::RowLog& log = cache.log(kLabelLog);
  if (domains.read == log.end()) return;
  const auto changed = log.Since(domains.read);
  if (!changed) return Rebuild(cache, key, domains);
  base::ResizeExactly(domains.of_row, cache.capacity(), BERTH_NO_DOMAIN);
  for (uint32_t row : *changed) Show(domains, row, ValueOn(cache, row, key));
  domains.read = log.end();
  if (domains.ghosts > kFewGhosts + domains.values.size() / 2) Rebuild(cache, key, domains);
}

void DomainIndex::Rebuild(Cache& cache, base::Id key, Domains& domains) {
  Clear(domains);
  domains.of_row.assign(cache.capacity(), BERTH_NO_DOMAIN);
  domains.numbering = ++numberings_;
  cache.live().ForEach([&](uint32_t row) { Show(domains, row, ValueOn(cache, row, key)); });
  base::RowLog& log = cache.log(kLabelLog);
  log.Since(log.end());  // marks the log as read, so a row is logged again when it changes next
  domains.read = log.end();
}

void DomainIndex::Show(Domains& domains, uint32_t row, base::Id value) {
  uint32_t& ordinal = domains.of_row[row];
  if (ordinal != BERTH_NO_DOMAIN) {
    if (domains.values[ordinal] == value) return;
    if (--domains.n_rows[ordinal] == 0) ++domains.ghosts;
    ordinal = BERTH_NO_DOMAIN;
  }
  if (value == base::kNoId) return;
  const auto [at, fresh] = domains.ordinals.try_emplace(value, static_cast<uint32_t>(domains.values.size()));
  ordinal = at->second;
  if (fresh) {
    intern_.ids.Keep(value);
    domains.values.push_back(value);
    domains.n_rows.push_back(1);
  } else if (domains.n_rows[ordinal]++ == 0) {
    --domains.ghosts;
  }
}

void DomainIndex::Clear(Domains& domains) {
  for (base::Id value : domains.values) intern_.ids.Drop(value);
  domains.values.clear();
  domains.n_rows.clear();
  domains.ordinals.clear();
  domains.ghosts = 0;
}

void DomainIndex::MakeRoom() {
  for (auto at = clock_.ToEvict(kept_, kKeys, UsedOf); at != kept_.end(); at = clock_.ToEvict(kept_, kKeys, UsedOf)) {
    Forget(at);
  }
}

void DomainIndex::BeginCycle() {
  clock_.BeginCycle();
  if (kept_.size() <= kKeys) return;
  const UseClock::Time oldest = UseClock::OldestToKeep(kept_, kKeys, UsedOf);
  for (auto at = kept_.begin(); at != kept_.end();) at = at->second->used < oldest ? Forget(at) : std::next(at);
}

DomainIndex::KeptDomains::iterator DomainIndex::Forget(KeptDomains::iterator at) {
  Clear(*at->second);
  intern_.ids.Drop(at->first);
  return kept_.erase(at);
}

}  // namespace berth::cache
