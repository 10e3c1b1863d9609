#include "world.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "policy/assembly/config_files.h"
#include "scheduler/framework/cluster_services.h"
#include "simulator/manifests/manifest_loader.h"
#include "simulator/simulation/manifest_feed.h"

namespace berth::explain {
namespace {

template <class T>
T OrDie(base::Result<T> result) {
  if (!result) {
    std::cerr << result.error().message << "\n";
    std::abort();
  }
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

simulation::SimulationOptions Options(engine::FailureNotes* notes, engine::AnnotationSource* annotations) {
  simulation::SimulationOptions options;
  options.engine.failure_notes = notes;
  options.engine.annotations = annotations;
  options.engine.decisions.time_share = 1;
  return options;
}

}  // namespace

World::World(engine::FailureNotes* notes, engine::AnnotationSource* annotations) {
  const auto sources = OrDie(assembly::ReadSources("", ""));
  plugin::Services services(intern);
  framework::AddClusterServices(services);
  policy_ = std::make_unique<assembly::Policy>(assembly::LoadPolicy(sources, {{BERTH_PLUGIN_DIR}, {}}, services));
  simulation_ = std::make_unique<simulation::Simulation>(intern, cluster_, outcomes_, Options(notes, annotations));
  simulation_->SetProfiles(OrDie(assembly::BuildProfiles(*policy_, simulation_->engine().services())));
}

World::~World() = default;

void World::AddNode(const std::string& name, const std::string& cpu, const std::string& spec,
                    const std::string& labels) {
  manifests_ += "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: " + labels +
                "}, spec: " + spec + ", status: {allocatable: {cpu: '" + cpu + "', memory: 8Gi, pods: '110'}}}\n";
}

void World::AddPod(const std::string& name, const std::string& cpu, const std::string& spec,
                   const std::string& metadata) {
  manifests_ += "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", labels: {app: web}" +
                (metadata.empty() ? "" : ", " + metadata) +
                "}, spec: {containers: [{name: c, image: i, resources: {requests: {cpu: '" + cpu + "'}}}]" +
                (spec.empty() ? "" : ", " + spec) + "}}\n";
}

void World::Run() {
  const std::string path = testing::TempDir() + "/explain-" + std::to_string(getpid()) + ".yaml";
  std::ofstream(path) << std::exchange(manifests_, "");
  simulation::ManifestFeed feed(cluster_);
  manifests::Loader loader(intern, feed, simulation::SimulationOptions().start_unix_ns);
  OrDie(loader.Apply({path}, manifests::Applying::kStart));
  OrDie(simulation_->Run());
  std::remove(path.c_str());
}

Explanation World::Explain(const std::string& pod, const std::string& node) {
  auto explanation =
      ExplainPod(engine(), intern, simulation::SimulationOptions().start_unix_ns, "default/" + pod, node);
  if (!explanation) std::abort();
  return *std::move(explanation);
}

std::string World::NoteAbout(const std::string& pod) const {
  std::string note;
  for (const auto& event : cluster_.events()) {
    if (event.pod == "default/" + pod) note = event.note;
  }
  return note;
}

std::vector<Suggestion> World::Suggest(const std::string& pod) {
  SuggestionSearch search(engine(), intern, engine().PodByKey("default/" + pod), Explain(pod).groups);
  while (search.Step()) {
  }
  return search.found();
}

}  // namespace berth::explain
