// An engine without effects for benchmarks: it neither binds nor writes. Thread: the caller's thread is the scheduling
// thread.
#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

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

// Keeps tasks until RunPending, in memory that it uses again.
class KeptTasks final : public bind::Executor {
 public:
  void Post(Task task) override { tasks_.push_back(std::move(task)); }
  // Runs all tasks, and those that they post.
  void RunPending() {
    for (size_t i = 0; i < tasks_.size(); ++i) std::exchange(tasks_[i], nullptr)();
    tasks_.clear();
  }

 private:
  std::vector<Task> tasks_;
};

enum class Bindings : uint8_t {
  kNeverEnd,  // pods stay assumed
  kEnd,       // when EndBindings is called
};

class StillEngine {
 public:
  // config: a file; "": kube-scheduler's default profile. plugins: the directories of libraries; none: the default one.
  StillEngine(api::InternTables& intern, const std::string& config, engine::EngineOptions options = {},
              Bindings bindings = Bindings::kNeverEnd, const std::vector<std::string>& plugins = {})
      : policy_(ReadPolicy(intern, config, plugins)),
        engine_(intern, clock_, bindings == Bindings::kEnd ? static_cast<bind::Executor&>(kept_) : none_, writes_,
                nullptr, options) {
    engine_.SetProfiles(OrDie(assembly::BuildProfiles(policy_, engine_.services())));
  }
  engine::Engine& operator*() { return engine_; }
  engine::Engine* operator->() { return &engine_; }
  // The next step of the engine gets the results.
  void EndBindings() { kept_.RunPending(); }

 private:
  static assembly::Policy ReadPolicy(api::InternTables& intern, const std::string& config,
                                     const std::vector<std::string>& plugins) {
    const auto sources = OrDie(assembly::ReadSources(config, ""), ": scripts/bench writes it");
    plugin::Services services(intern);
    framework::AddClusterServices(services);
    assembly::Policy policy = assembly::LoadPolicy(sources, {.plugin_directories = plugins}, services);
    if (!policy.ok()) Die(policy.config.errors.front().Text());
    return policy;
  }

  assembly::Policy policy_;
  base::TickingClock clock_{1'767'225'600 * base::kSecond};
  NoWrites writes_;
  NoExecutor none_;
  KeptTasks kept_;
  engine::Engine engine_;
};

}  // namespace berth::bench
