// What the instances of one generation hand over to the instances of the next one: their state, and what they hold for
// open attempts. An instance that its predecessor has prepared (succession) shares both with it.
// See sdk/include/berth/handover.h and succession.h. Thread: scheduling thread.
#pragma once

#include <memory>

#include "scheduler/engine/attempts.h"
#include "scheduler/framework/profile.h"

namespace berth::engine {

// Passes the state of each instance of `before` to the instance of the same plugin and profile in `now`.
void HandOverStates(const framework::ProfileSet& before, const framework::ProfileSet& now);

// true: an instance of `next` cannot take over the open attempts of its predecessor, so `next` must not be published
// before they end.
bool MustWaitForAttempts(const Attempts& attempts, const framework::ProfileSet& next);

// Passes the open attempts to the instances of `next`, which the attempts then keep alive.
void HandOverAttempts(const Attempts& attempts, const std::shared_ptr<const framework::ProfileSet>& next);

// Tells the instances that have taken over the attempt how it ended, and releases them.
void SettleAdopted(Attempt& attempt, bool bound);

}  // namespace berth::engine
