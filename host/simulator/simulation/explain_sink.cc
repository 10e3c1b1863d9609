#include "simulator/simulation/explain_sink.h"

#include "simulator/results/explanation.h"

namespace berth::simulation {

void ExplainSink::Add(const results::AttemptEntry& entry) {
  if (entry.pod == options_.pod) {
    results::Attempt attempt{entry.pod,  entry.profile, entry.result, entry.node,
                             entry.ties, entry.message, entry.nodes};
    const api::PodRef pod = cluster_.FindPod(entry.pod);
    auto node = [this](std::string_view name) { return cluster_.FindNode(name); };
    results::Print(step_, attempt, ++attempts_, {cluster_.intern(), pod.get(), node}, {options_.color, options_.width});
  }
  next_.Add(entry);
}

void ExplainSink::Quiet(const std::string& what) {
  next_.Quiet(what);
  if (const std::string text = step_.str(); !text.empty()) out_ << '\n' << text;
  step_.str("");
}

}  // namespace berth::simulation
