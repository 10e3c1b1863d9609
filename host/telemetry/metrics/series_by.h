// The series of a declared family by the values of its labels, created at their first use. For values that become known
// while the scheduler runs. Thread: any; a lock is held for a lookup. Ownership: the registry outlives the object.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/thread_annotations.h"
#include "telemetry/metrics/registry.h"

namespace berth::metrics {

template <class Handle>
class SeriesBy {
 public:
  // labels: the names in the order in which At gets their values.
  SeriesBy(Registry& registry, std::string family, std::vector<std::string> labels)
      : registry_(registry), family_(std::move(family)), names_(std::move(labels)) {}

  Handle At(std::initializer_list<std::string_view> values) {
    std::string key;
    for (const std::string_view value : values) key.append(value) += '\0';
    base::MutexLock lock(mutex_);
    const auto found = series_.find(key);
    if (found != series_.end()) return found->second;
    return series_.emplace(std::move(key), Make(values)).first->second;
  }

 private:
  Handle Make(std::initializer_list<std::string_view> values) {
    Labels labels;
    size_t i = 0;
    for (const std::string_view value : values) labels.emplace(names_[i++], value);
    if constexpr (std::is_same_v<Handle, Counter>) {
      return registry_.CounterOf(family_, labels);
    } else if constexpr (std::is_same_v<Handle, Gauge>) {
      return registry_.GaugeOf(family_, labels);
    } else {
      return registry_.HistogramOf(family_, labels);
    }
  }

  Registry& registry_;
  const std::string family_;
  const std::vector<std::string> names_;
  base::Mutex mutex_;
  std::map<std::string, Handle, std::less<>> series_ GUARDED_BY(mutex_);
};

}  // namespace berth::metrics
