// A generation of policy on its way into force. Thread: made on any thread, then the scheduling thread's.
// Ownership: the engine's.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/result.h"
#include "engine/newcomers.h"
#include "framework/profile.h"

namespace berth::engine {

// How an offer ended, told on the scheduling thread: in force, or why not. Then the generation before decides on.
using OfferEnd = std::function<void(base::Result<void>)>;

struct Offer {
  std::shared_ptr<const framework::ProfileSet> profiles;
  OfferEnd end;
  Newcomers newcomers;
};

}  // namespace berth::engine
