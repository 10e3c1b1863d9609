// Brings a changed configuration, or changed libraries, into force while pods are being scheduled, or says why not:
// watch, read and judge the whole, try it in a child process, open and make what is new, offer it to the engine, watch
// over it for a while, and go back by itself when it fails.
// Source: plugin-abi.md §4 with abi-review F9.
//
// Made by main once the first generation is in force. Everything but the target's calls happens on threads of its own:
// scheduling goes on meanwhile. Thread: all public functions, any. Ownership: target and observer outlive it; destroy
// it before the program ends the engine.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "assembly/policy.h"
#include "base/result.h"
#include "engine/offer.h"
#include "swap/fingerprint.h"
#include "swap/retirement.h"
#include "swap/watcher.h"

namespace berth::swap {

// The running scheduler, as a swap sees it.
class Target {
 public:
  virtual ~Target() = default;
  virtual plugin::Services& services() = 0;
  // See engine::Engine. end comes from the scheduling thread.
  virtual void OfferProfiles(std::shared_ptr<const framework::ProfileSet> profiles, engine::OfferEnd end) = 0;
  virtual void WithdrawOffer() = 0;
  // Instances have been activated: kinds of objects that nobody needed before are listed and watched from now on.
  virtual void WatchNeededKinds(const framework::ProfileSet& profiles) = 0;
  // What of the configuration is not part of the profiles: podInitialBackoffSeconds, podMaxBackoffSeconds, verbosity.
  virtual void Configure(const config::Configuration& configuration, const config::BerthConfiguration& berth) = 0;
};

// A candidate is run in a child process before any of it is mapped here: sources and the digests of libraries that this
// process has not mapped yet. The error says what went wrong there.
using Canary = std::function<base::Result<void>(const std::vector<config::Source>& sources)>;

struct CoordinatorOptions {
  std::string config, berth_config;  // paths as they were given; either may be empty
  std::string quarantine;            // a file whose changes change what may be loaded; "" = none
  assembly::PolicyOptions policy;
  Canary canary;  // empty: none
  WatcherOptions watcher;
  std::chrono::milliseconds publish_patience = std::chrono::seconds(60);  // for lists of new kinds and open attempts
  std::chrono::milliseconds probation = std::chrono::minutes(10);
  uint64_t most_faults = 10;  // of one instance during its probation; one more and the generation before comes back
};

enum class Result : uint8_t { kPublished, kUnchanged, kRefused, kRolledBack };

// How one attempt to swap ended.
struct Report {
  Result result;
  uint64_t generation;               // in force now
  std::vector<std::string> causes;   // what had changed on disk
  std::vector<std::string> changes;  // what is otherwise now: "NodeResourcesFit of default-scheduler: args"
  std::string step;  // that failed: "config", "restart", "quarantine", "canary", "load", "publish"; else ""
  std::vector<std::string> problems;                                    // why
  std::vector<std::pair<std::string, std::chrono::nanoseconds>> steps;  // how long each took
};

class SwapObserver {
 public:
  virtual ~SwapObserver() = default;
  // On a thread of the coordinator. in_force: the generation that decides from now on.
  virtual void OnSwap(const Report& report, const framework::ProfileSet& in_force,
                      const config::Configuration& configuration) = 0;
};

class Coordinator {
 public:
  // effective: what in_force was made of.
  Coordinator(Target& target, SwapObserver& observer, CoordinatorOptions options,
              std::unique_ptr<assembly::Policy> effective, std::shared_ptr<const framework::ProfileSet> in_force,
              Retirement& retirement);
  ~Coordinator() { Stop(); }
  Coordinator(const Coordinator&) = delete;

  // What is watched: the configuration files, the plugin directories and the libraries that berth binds by path.
  static WatchedPaths PathsOf(const CoordinatorOptions& options, const config::BerthConfiguration& berth = {});

  // told: of PathsOf, taken before the effective policy was read.
  base::Result<void> Start(Fingerprint told);
  void Poke();  // SIGHUP: look at once, and try again what was refused
  void Stop();  // waits for a swap under way

  // "" = what the files want is in force. Else why it is not.
  std::string Divergence() const;

 private:
  struct Attempt;
  void Changed(const Fingerprint& now);
  void TryAndTell(std::vector<std::string> causes);
  void Tell(const Report& report, std::string divergence);
  void WatchPathsOf(const config::BerthConfiguration& berth);
  std::string WhyNotWait();
  Report Try(std::vector<std::string> causes);
  bool Read(Attempt& attempt);
  bool Judge(Attempt& attempt);
  bool TryInChild(Attempt& attempt);
  bool Make(Attempt& attempt);
  bool Publish(Attempt& attempt);
  Report Finish(Attempt& attempt, Result result);
  void BeginProbation(const framework::ProfileSet& before);
  void Watch(const std::stop_token& stop);
  bool AskedAgain() const;
  std::string Failing() const;
  void RollBack(const std::string& why);

  Target& target_;
  SwapObserver& observer_;
  const CoordinatorOptions options_;
  Retirement& retirement_;

  std::mutex swapping_;  // one at a time; guards what follows
  std::unique_ptr<assembly::Policy> effective_, previous_;
  std::shared_ptr<const framework::ProfileSet> in_force_;
  Fingerprint seen_;
  WatchedPaths watched_;
  std::vector<std::weak_ptr<plugin::Instance>> probation_;
  std::chrono::steady_clock::time_point probation_ends_;

  mutable std::mutex told_;  // guards what follows
  std::string divergence_;
  bool again_ = false;  // Poke was called

  std::unique_ptr<Watcher> watcher_;
  std::atomic<bool> stopping_{false};
  Fingerprinter looks_;  // while an offer waits
  std::jthread watching_over_;
  std::mutex pause_;
  std::condition_variable_any paused_;
};

}  // namespace berth::swap
