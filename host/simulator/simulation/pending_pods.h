// Why the pods that a simulation leaves pending do not fit, and what would make them fit: `berthctl simulate
// --suggest`. Thread: the simulation's, when it is quiet.
#pragma once

#include <cstddef>
#include <ostream>
#include <vector>

#include "api/intern_tables.h"
#include "codec/json/value.h"
#include "scheduler/explain/pod_explanation.h"
#include "simulator/simulation/simulation.h"

namespace berth::simulation {

// Of all pods in the queue that are neither gated nor being deleted, by name. A pod that fits now has no suggestions.
// Evaluates each pod at most 1 + SuggestionSearch::kMaxEvaluations times on all nodes.
std::vector<explain::Explanation> ExplainPendingPods(Simulation& simulation, api::InternTables& intern);

// The member "pending" of a SimulationResult.
json::Value PendingJson(const std::vector<explain::Explanation>& pods);

// For people; width: columns to wrap at.
void PrintPendingPods(std::ostream& out, const std::vector<explain::Explanation>& pods, size_t width);

}  // namespace berth::simulation
