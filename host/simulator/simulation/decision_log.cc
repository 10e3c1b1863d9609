#include "simulator/simulation/decision_log.h"

#include "scheduler/explain/decision_json.h"
#include "scheduler/explain/explain_pod.h"

namespace berth::simulation {

void DecisionLog::Add(engine::Engine& engine, const api::InternTables& intern, const api::Pod& pod) {
  auto decision = engine.decisions().ring().Newest();
  if (decision == nullptr) return;
  out_ << explain::AttemptText(explain::ExplainAttempt(engine, intern, pod, std::move(decision))) << '\n';
}

void DecisionLog::AddPending(const explain::Explanation& pod) {
  out_ << json::Dump(explain::Versioned("PodExplanation", explain::ExplanationJson(pod))) << '\n';
}

}  // namespace berth::simulation
