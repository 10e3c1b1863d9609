// Matches tolerations with taints, for the plugins that read taints. Source: k8s.io/api/core/v1/toleration.go
// ToleratesTaint, with the gate TaintTolerationComparisonOperators off: Lt and Gt tolerate nothing. Thread: any; an
// instance interns the texts once.
#pragma once

#include <berth/plugin.hpp>

namespace plugins {

using berth::sdk::Id;

class TolerationWords {
 public:
  explicit TolerationWords(berth::sdk::Host& host)
      : no_schedule(host.Intern("NoSchedule")),
        no_execute(host.Intern("NoExecute")),
        prefer_no_schedule(host.Intern("PreferNoSchedule")),
        equal(host.Intern("Equal")),
        exists(host.Intern("Exists")) {}

  const Id no_schedule, no_execute, prefer_no_schedule;
  const Id equal, exists;

  bool Tolerates(const berth_toleration& toleration, const berth_taint& taint) const {
    if (toleration.effect != BERTH_ID_EMPTY && toleration.effect != taint.effect) return false;
    if (toleration.key != BERTH_ID_EMPTY && toleration.key != taint.key) return false;
    if (toleration.op == BERTH_ID_EMPTY || toleration.op == equal) return toleration.value == taint.value;
    return toleration.op == exists;
  }

  bool Tolerated(berth::sdk::List<berth_toleration> tolerations, const berth_taint& taint) const {
    for (const berth_toleration& toleration : tolerations) {
      if (Tolerates(toleration, taint)) return true;
    }
    return false;
  }

  // Whether the taint prevents scheduling: NoSchedule or NoExecute.
  bool DoNotSchedule(const berth_taint& taint) const {
    return taint.effect == no_schedule || taint.effect == no_execute;
  }
  bool AnyRefuses(berth::sdk::List<berth_taint> taints, berth::sdk::List<berth_toleration> tolerations) const {
    for (const berth_taint& taint : taints) {
      if (DoNotSchedule(taint) && !Tolerated(tolerations, taint)) return true;
    }
    return false;
  }
};

}  // namespace plugins
