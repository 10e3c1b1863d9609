// An engine without effects for benchmarks: it neither binds nor writes. Thread: the caller's thread is the scheduling
// thread.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>

#include "policy/assembly/config_files.h"
#include "policy/assembly/policy.h"
#include "scheduler/engine/engine.h"
#include "scheduler/framework/cluster_services.h"

namespace berth::bench {

[[noreturn]] inline void Die(const std::string& why) {
  std::cerr << why << "\n";
  std::exit(1);
}

template <class T>
T OrDie(base::Result<T> result, const std::string& hint = "") {
  if (!result) Die(result.error().message + hint);
  return std::move(*result);
}

class NoWrites final : public engine::Writes {
 public:
  void Bind(const berth_pod&, std::string_view, berth_op* op) override { op->done(op, BERTH_SUCCESS, nullptr, 0); }
  void PatchStatus(const api::PodRef&, engine::StatusPatch) override {}
  void Event(const api::Pod&, std::string_view, std::string_view, std::string_view, std::string) override {}
};

// Drops every task.
class NoExecutor final : public bind::Executor {
 public:
  void Post(Task) override {}
};

enum class Bindings : uint8_t {
  kNeverEnd,  // pods stay assumed
  kEnd,       // when EndBindings is called
};

class StillEngine {
 public:
  // config: a file; "": kube-scheduler's default profile.
  StillEngine(api::InternTables& intern, const std::string& config, engine::EngineOptions options = {},
              Bindings bindings = Bindings::kNeverEnd)
      : policy_(ReadPolicy(intern, config)),
        engine_(intern, clock_, bindings == Bindings::kEnd ? static_cast<bind::Executor&>(inline_) : none_, writes_,
                nullptr, options) {
    engine_.SetProfiles(OrDie(assembly::BuildProfiles(policy_, engine_.services())));
  }
  engine::Engine& operator*() { return engine_; }
  engine::Engine* operator->() { return &engine_; }
  // The next step of the engine gets the results.
  void EndBindings() { inline_.RunPending(); }

 private:
  static assembly::Policy ReadPolicy(api::InternTables& intern, const std::string& config) {
    const auto sources = OrDie(assembly::ReadSources(config, ""), ": scripts/bench writes it");
    cache::Cache nothing(intern);
    plugin::Services services(intern);
    framework::AddClusterServices(services, nothing);
    assembly::Policy policy = assembly::LoadPolicy(sources, {}, services);
    if (!policy.ok()) Die(policy.config.errors.front().Text());
    return policy;
  }

  assembly::Policy policy_;
  base::TickingClock clock_{1'767'225'600 * base::kSecond};
  NoWrites writes_;
  NoExecutor none_;
  bind::InlineExecutor inline_;
  engine::Engine engine_;
};

}  // namespace berth::bench
