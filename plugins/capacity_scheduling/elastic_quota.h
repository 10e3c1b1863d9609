// What an ElasticQuota (scheduling.x-k8s.io/v1alpha1) permits. Source: newElasticQuotaInfo in
// pkg/capacityscheduling/elasticquota.go of kubernetes-sigs/scheduler-plugins.
// Thread: [serial]. Ownership: Limits own the ids of their scalars and give them back; the host outlives them.
#pragma once

#include <berth/objects.hpp>
#include <berth/plugin.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/quantity_text.h"
#include "../common/resource_names.h"
#include "amounts.h"
#include "requests.h"

namespace plugins::capacity_scheduling {

class OwnedIds {
 public:
  explicit OwnedIds(Host& host) : host_(&host) {}
  OwnedIds(OwnedIds&& other) noexcept : host_(other.host_), ids_(std::exchange(other.ids_, {})) {}
  OwnedIds& operator=(OwnedIds&& other) noexcept {
    std::swap(host_, other.host_);
    ids_.swap(other.ids_);
    return *this;
  }
  ~OwnedIds() {
    for (const Id id : ids_) host_->Drop(id);
  }

  Id Intern(std::string_view text) { return ids_.emplace_back(host_->Intern(text)); }

 private:
  Host* host_;
  std::vector<Id> ids_;
};

struct Limits {
  Amounts min, max;
  OwnedIds names;
};

// A given list limits cpu, memory, ephemeral-storage, and pods that it does not name to 0. Without a list, nothing is
// guaranteed, and only pods are limited.
class LimitsReader {
 public:
  LimitsReader(Host& host, const berth::sdk::Objects& objects, const ResourceIds& ids)
      : host_(host), objects_(objects), ids_(ids) {}

  Limits Read(const berth::sdk::Object& quota) const {
    Limits limits{{}, {}, OwnedIds(host_)};
    ReadList(quota.At("spec", "min"), limits.min, limits.names);
    const berth::sdk::Value max = quota.At("spec", "max");
    if (!max.is_object()) limits.max = Unlimited();
    ReadList(max, limits.max, limits.names);
    return limits;
  }

  static Amounts Unlimited() {
    Amounts amounts;
    for (const Native native : {kCpu, kMemory, kEphemeralStorage}) amounts[native] = kUnlimited;
    return amounts;
  }

 private:
  void ReadList(const berth::sdk::Value& list, Amounts& amounts, OwnedIds& names) const {
    for (uint32_t i = 0; i < list.size(); ++i) {
      const Id name = names.Intern(list.KeyAt(i));
      const auto native = ids_.NativeOf(name);
      if (native) {
        amounts[*native] = AmountOf(list[i], *native == kCpu);
      } else if (IsScalarResourceName(list.KeyAt(i))) {
        amounts.At(name) = AmountOf(list[i], false);
      }
    }
  }
  // An unreadable quantity counts as 0: the API server accepts none.
  int64_t AmountOf(const berth::sdk::Value& quantity, bool milli) const {
    const std::string text = QuantityText(quantity);
    return (milli ? objects_.Milli(text) : objects_.Units(text)).value_or(0);
  }

  Host& host_;
  const berth::sdk::Objects& objects_;
  const ResourceIds& ids_;
};

}  // namespace plugins::capacity_scheduling
