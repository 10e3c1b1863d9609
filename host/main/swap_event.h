// What became of a change of policy, as an Event that `kubectl get events` shows beside those of pods.
// Thread: any; pure.
#pragma once

#include "config/configuration.h"
#include "dispatch/event_body.h"
#include "swap/coordinator.h"

namespace berth {

// What the Events are about: the pod this program runs in, when POD_NAMESPACE and POD_NAME say so (downward API), else
// the Lease that leader election would use, as kube-scheduler's own Events are.
dispatch::ObjectReference OwnObject(const config::Configuration& configuration);

// Nothing for a change that changed nothing.
std::optional<dispatch::EventRecord> SwapEvent(const swap::Report& report, const dispatch::ObjectReference& about);

}  // namespace berth
