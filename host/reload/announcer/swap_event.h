// The Event of a policy change, which `kubectl get events` lists beside the Events of pods. Thread: any; pure.
#pragma once

#include <optional>

#include "cluster/events/event_body.h"
#include "config/configuration/configuration.h"
#include "reload/coordinator/coordinator.h"

namespace berth::announcer {

// What the Events are about: the pod that POD_NAMESPACE, POD_NAME and POD_UID of the environment name (downward API),
// or else the Lease of leaderElection, as Events of kube-scheduler's own leader election are.
events::ObjectReference OwnObject(const config::Configuration& configuration);

// nullopt: the files changed, and the policy did not.
std::optional<events::EventRecord> SwapEvent(const reload::Report& report, const events::ObjectReference& about);

}  // namespace berth::announcer
