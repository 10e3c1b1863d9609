// QOSSort: pods of higher priority first, then those of the better QoS class, then those that have waited longer.
// Source: sigs.k8s.io/scheduler-plugins pkg/qos/queue_sort.go.
#include <berth/plugin.hpp>

#include "../common/qos_class.h"

namespace plugins {

class QOSSort {
 public:
  static constexpr berth::sdk::Info kInfo{.name = "QOSSort", .vendor = "berth.dev"};

  explicit QOSSort(berth::sdk::Host& host) : classes_(host) {}

  bool Less(const berth::sdk::Queued& a, const berth::sdk::Queued& b) {
    const int32_t pa = a.pod().priority(), pb = b.pod().priority();
    if (pa != pb) return pa > pb;
    const QosClass qa = classes_.Of(a.pod()), qb = classes_.Of(b.pod());
    if (qa != qb) return qa > qb;
    return a->queued_unix_ns < b->queued_unix_ns;
  }

 private:
  const QosClasses classes_;
};

}  // namespace plugins

BERTH_PLUGIN(plugins::QOSSort);
