// A simulated cluster with kube-scheduler's default profile and Berth's plugin libraries, whose pods are explained.
// Thread: one test.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "policy/assembly/policy.h"
#include "scheduler/explain/explain_pod.h"
#include "scheduler/explain/suggestion_search.h"
#include "simulator/simulation/simulation.h"

namespace berth::explain {

class World {
 public:
  // Aborts the program if the libraries cannot be loaded. For the engine; both may be null.
  explicit World(engine::FailureNotes* notes = nullptr, engine::AnnotationSource* annotations = nullptr);
  ~World();

  // spec, status, metadata: YAML in flow style, such as "{taints: [...]}".
  void AddNode(const std::string& name, const std::string& cpu, const std::string& spec = "{}",
               const std::string& labels = "{}");
  void AddManifest(const std::string& yaml) { manifests_ += "---\n" + yaml + "\n"; }
  void AddPod(const std::string& name, const std::string& cpu, const std::string& spec = "",
              const std::string& metadata = "");
  // Schedules until nothing moves any more. Aborts the program for manifests with mistakes.
  void Run();

  Explanation Explain(const std::string& pod, const std::string& node = "");  // of the namespace default
  std::string NoteAbout(const std::string& pod) const;                        // of the last Event about the pod
  const engine::Annotations* AnnotationsOf(const std::string& pod) const {
    return cluster_.AnnotationsOf("default/" + pod);
  }
  std::vector<Suggestion> Suggest(const std::string& pod);
  engine::Engine& engine() { return simulation_->engine(); }
  const decisions::Decision& Newest() { return *(newest_ = engine().decisions().ring().Newest()); }

  api::InternTables intern;

 private:
  class Outcomes final : public results::AttemptSink {
    void Add(const results::AttemptEntry&) override {}
  };
  std::unique_ptr<assembly::Policy> policy_;
  simulation::Cluster cluster_{intern};
  Outcomes outcomes_;
  std::unique_ptr<simulation::Simulation> simulation_;
  std::string manifests_;
  std::shared_ptr<const decisions::Decision> newest_;
};

}  // namespace berth::explain
