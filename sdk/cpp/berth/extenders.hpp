// The part of the configuration's HTTP extenders in a preemption. Make an Extenders in the plugin's constructor and
// keep it; with a host that lacks the service, or has no extenders, every candidate is accepted. berth/preemption.hpp
// uses it already; this is for plugins that search for victims themselves.
#pragma once

#include <span>
#include <string>

#include "berth/detail/services.hpp"
#include "berth/extenders.h"
#include "berth/host.hpp"
#include "berth/list.hpp"
#include "berth/status.hpp"
#include "berth/views.hpp"

namespace berth::sdk {

class Extenders {
 public:
  explicit Extenders(const Host& host)
      : host_(host.raw()),
        table_(detail::CopyTable<berth_extenders>(host.Offers(BERTH_SERVICE_EXTENDERS)
                                                      ? host.raw()->service(host.raw(), BERTH_SERVICE_EXTENDERS)
                                                      : nullptr)) {}

  // [serial] Whether an extender takes part in preemption for this pod.
  bool Preempt(const Pod& pod) const {
    return table_.preempts != nullptr && table_.preempt != nullptr && table_.preempts(host_, pod.raw()) != 0;
  }

  struct Left {
    Status status;                     // ERROR: there must be no preemption
    List<berth_candidate> candidates;  // each has a pod; lives until the next call or the end of PostFilter
  };
  // [serial] in PostFilter, only if the function above returned true. Waits for their replies.
  Left Ask(const Pod& pod, std::span<const berth_candidate> candidates) const {
    const berth_list asked{candidates.data(), static_cast<uint32_t>(candidates.size()), sizeof(berth_candidate)};
    berth_list left{nullptr, 0, sizeof(berth_candidate)};
    berth_str why{nullptr, 0};
    if (table_.preempt(host_, pod.raw(), asked, &left, &why) == BERTH_SUCCESS) return {Status::Ok(), left};
    return {Status::Error(std::string(View(why))), {}};
  }

 private:
  const berth_host* host_;
  berth_extenders table_;
};

}  // namespace berth::sdk
