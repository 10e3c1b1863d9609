#include "api/resources.h"

#include <cstddef>
#include <limits>
#include <memory>

#include "api/exact_requests.h"

#include "codec/text/label_syntax.h"

namespace berth::api {
namespace {

RequestSums Integers(const InternTables& intern, const QuantityList& exact) {
  RequestSums sums;
  sums.amounts.reserve(exact.size());
  for (const auto& [name, quantity] : exact) sums.amounts.push_back(ToAmount(intern, name, quantity));
  return sums;
}

// Publishes the computed value, unless another thread published one first. *slot is set afterwards.
template <class T>
const T& Publish(std::atomic<T*>& slot, std::unique_ptr<T> computed) {
  T* expected = nullptr;
  if (slot.compare_exchange_strong(expected, computed.get(), std::memory_order_acq_rel, std::memory_order_acquire)) {
    return *computed.release();
  }
  return *expected;
}

}  // namespace

ResourcesBlock::~ResourcesBlock() {
  for (auto& sums : sums_) delete sums.load(std::memory_order_relaxed);
  delete accounted_.load(std::memory_order_relaxed);
}

const RequestSums& ResourcesBlock::Sums(const InternTables& intern, uint32_t flags) const {
  static const RequestSums kNothing;
  if (flags >= kKinds) return kNothing;
  if (const RequestSums* sums = sums_[flags].load(std::memory_order_acquire)) return *sums;
  const bool non_missing = (flags & BERTH_REQUESTS_NON_MISSING) != 0;
  const RequestOptions options{(flags & BERTH_REQUESTS_SKIP_POD_LEVEL) != 0, (flags & BERTH_REQUESTS_USE_STATUS) != 0,
                               non_missing, non_missing};
  return Publish(sums_[flags], std::make_unique<RequestSums>(Integers(intern, ExactRequests(intern, *this, options))));
}

AccountedRequests ResourcesBlock::Accounted(const InternTables& intern) const {
  if (const AccountedRequests* accounted = accounted_.load(std::memory_order_acquire)) return *accounted;
  auto accounted = std::make_unique<AccountedRequests>();
  accounted->requested = &Sums(intern, BERTH_REQUESTS_USE_STATUS);
  RequestOptions options{false, true, true, true};
  if (HasPodLevelRequests(intern, *this)) {
    // Defaults only for resources that neither level requests.
    const QuantityList requested = ExactRequests(intern, *this, {false, true, false, false});
    options.default_cpu = FindQuantity(requested, intern.cpu) == nullptr;
    options.default_memory = FindQuantity(requested, intern.memory) == nullptr;
  }
  const RequestSums non_zero = Integers(intern, ExactRequests(intern, *this, options));
  accounted->non_zero_cpu_milli = non_zero.Get(intern.cpu);
  accounted->non_zero_memory = non_zero.Get(intern.memory);
  return Publish(accounted_, std::move(accounted));
}

const ResourcesBlock& ResourcesBlockOf(const berth_resources* resources) {
  return static_cast<const ResourcesBlock&>(BlockOf(*resources));
}

berth_amount ToAmount(const InternTables& intern, base::Id name, base::Quantity exact) {
  const bool milli = name == intern.cpu;
  berth_amount amount{name, 0, milli ? exact.MilliValue() : exact.Value()};
  if (!(milli ? exact.IsWholeMilli() : exact.IsWholeUnits())) amount.flags |= BERTH_AMOUNT_ROUNDED;
  const auto fits = milli ? base::Quantity::FromMilli(amount.value) : base::Quantity::FromUnits(amount.value);
  if ((amount.value == std::numeric_limits<int64_t>::max() && exact > fits) ||
      (amount.value == std::numeric_limits<int64_t>::min() && exact < fits)) {
    amount.flags |= BERTH_AMOUNT_SATURATED;
  }
  if (name == intern.cpu || name == intern.memory || name == intern.ephemeral_storage || name == intern.pods)
    return amount;
  const std::string_view text = intern.ids.Text(name);
  if (IsScalarResourceName(text)) amount.flags |= BERTH_AMOUNT_SCALAR;
  if (text::IsExtendedResourceName(text)) amount.flags |= BERTH_AMOUNT_EXTENDED;
  return amount;
}

bool ScaledDown(const InternTables& intern, const ResourcesBlock& before, const ResourcesBlock& after) {
  if (&before == &after) return false;
  const RequestOptions options{.use_status = true};
  const QuantityList old_requests = ExactRequests(intern, before, options);
  const QuantityList new_requests = ExactRequests(intern, after, options);
  for (const auto& [name, old_quantity] : old_requests) {
    const base::Quantity* new_quantity = FindQuantity(new_requests, name);
    if (new_quantity == nullptr || old_quantity.MilliValue() > new_quantity->MilliValue()) return true;
  }
  return false;
}

}  // namespace berth::api
