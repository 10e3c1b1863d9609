// A candidate that the engine is preparing for publication. Thread: made on any thread, then the scheduling thread's.
// Ownership: the engine's.
#pragma once

#include <functional>
#include <memory>

#include "base/result.h"
#include "scheduler/framework/profile.h"

namespace berth::engine {

// Called on the scheduling thread when the candidate is published, or with the reason why it is not. Then the previous
// policy stays.
using CandidateEnd = std::function<void(base::Result<void>)>;

struct Candidate {
  std::shared_ptr<const framework::ProfileSet> profiles;
  CandidateEnd end;
};

}  // namespace berth::engine
