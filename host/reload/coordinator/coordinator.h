// Leads a policy change from changed files to publication, or rejects it: it parses and completes the configuration,
// tries it in a child process, opens the libraries and creates the new instances, submits the candidate to the engine,
// watches the new instances during their probation, and rolls back if they fail. docs/hot-swap.md describes the steps.
//
// Created by main after the first policy is published. It works on its own threads while scheduling continues. Thread:
// Start and Stop, one after the other; other functions, any. Ownership: target and observer outlive it; destroy it
// before the engine ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/chore.h"
#include "base/result.h"
#include "base/thread_annotations.h"
#include "policy/assembly/policy.h"
#include "reload/coordinator/retirement.h"
#include "reload/watch/fingerprint.h"
#include "reload/watch/watcher.h"
#include "scheduler/engine/candidate.h"

namespace berth::reload {

// The running scheduler: what the coordinator needs of it.
class Target {
 public:
  virtual ~Target() = default;
  virtual plugin::Services& services() = 0;
  // See engine::Engine. The scheduling thread calls end.
  virtual void SubmitCandidate(std::shared_ptr<const framework::ProfileSet> profiles, engine::CandidateEnd end) = 0;
  virtual void WithdrawCandidate() = 0;
  // After instances were activated: lists and watches the kinds of objects that only they need.
  virtual void WatchNeededKinds(const framework::ProfileSet& profiles) = 0;
};

// Tries a configuration in a child process before this process maps any of its libraries. candidate: ok(). The error
// says what went wrong there.
using Canary = std::function<base::Result<void>(const assembly::ParsedConfig& candidate)>;

struct CoordinatorOptions {
  std::string config, berth_config;  // paths as given; either may be empty
  std::string quarantine;            // a file whose content decides which libraries may be loaded; "" = none
  assembly::PolicyOptions policy;
  Canary canary;      // empty: none
  int verbosity = 0;  // of -v: the log's when the Berth configuration has none
  WatcherOptions watcher;
  std::chrono::milliseconds publish_timeout = std::chrono::seconds(60);  // for lists of new kinds and open attempts
  std::chrono::milliseconds probation = std::chrono::minutes(10);
  uint64_t most_faults = 10;  // of one instance during its probation; one more causes a rollback
};

enum class Result : uint8_t { kPublished, kUnchanged, kRejected, kRolledBack };

// How one policy change ended.
struct Report {
  Result result;
  uint64_t generation;               // the active one
  std::vector<std::string> causes;   // what had changed on disk
  std::vector<std::string> changes;  // what differs now: "NodeResourcesFit of default-scheduler: args"
  std::string step;  // that failed: "config", "restart", "quarantine", "canary", "load", "publish"; else ""
  std::vector<std::string> problems;                                    // why
  std::vector<std::pair<std::string, std::chrono::nanoseconds>> steps;  // how long each took
};

class SwapObserver {
 public:
  virtual ~SwapObserver() = default;
  // On a thread of the coordinator. active: the active policy from now on.
  virtual void OnSwap(const Report& report, const framework::ProfileSet& active,
                      const config::Configuration& configuration) = 0;
};

class Coordinator {
 public:
  // effective: what active was built from.
  Coordinator(Target& target, SwapObserver& observer, CoordinatorOptions options,
              std::unique_ptr<assembly::Policy> effective, std::shared_ptr<const framework::ProfileSet> active,
              Retirement& retirement);
  ~Coordinator() { Stop(); }
  Coordinator(const Coordinator&) = delete;

  // The watched paths: configuration files, plugin directories, and the libraries that berth binds by path.
  static WatchedPaths PathsOf(const CoordinatorOptions& options, const config::BerthConfiguration& berth = {});

  // seen: the fingerprint of PathsOf, taken before the effective policy was read.
  void Start(Fingerprint seen);
  void Poke();  // SIGHUP: checks the files now, and tries a rejected change again
  void Stop();  // waits for a policy change under way

  // Why the active policy is not that of the files; "" = it is.
  std::string Divergence() const;

 private:
  struct Attempt;
  void Changed(const Fingerprint& now);
  void TryAndReport(std::vector<std::string> causes) REQUIRES(changing_);
  void ReportEnd(const Report& report, std::string divergence) REQUIRES(changing_);
  void WatchPathsOf(const config::BerthConfiguration& berth) REQUIRES(changing_);
  std::string WhyNotWait() REQUIRES(changing_);
  Report Try(std::vector<std::string> causes) REQUIRES(changing_);
  bool Read(Attempt& attempt) REQUIRES(changing_);
  bool Validate(Attempt& attempt) REQUIRES(changing_);
  bool TryInChild(Attempt& attempt);
  bool Make(Attempt& attempt) REQUIRES(changing_);
  bool Publish(Attempt& attempt) REQUIRES(changing_);
  Report Finish(Attempt& attempt, Result result) REQUIRES(changing_);
  void BeginProbation(const framework::ProfileSet& before) REQUIRES(changing_);
  bool HasToWatch();
  void Watch();
  bool AskedAgain() const;
  std::string Failing() const REQUIRES(changing_);
  void RollBack(const std::string& why) REQUIRES(changing_);

  Target& target_;
  SwapObserver& observer_;
  const CoordinatorOptions options_;
  Retirement& retirement_;

  base::Mutex changing_;  // one change at a time
  std::unique_ptr<assembly::Policy> effective_ GUARDED_BY(changing_), previous_ GUARDED_BY(changing_);
  std::shared_ptr<const framework::ProfileSet> active_ GUARDED_BY(changing_);
  Fingerprint seen_ GUARDED_BY(changing_);
  WatchedPaths watched_ GUARDED_BY(changing_);
  std::vector<std::weak_ptr<plugin::Instance>> probation_ GUARDED_BY(changing_);
  std::chrono::steady_clock::time_point probation_ends_ GUARDED_BY(changing_);
  Fingerprinter looks_ GUARDED_BY(changing_);  // while a candidate waits

  mutable base::Mutex state_mutex_;
  std::string divergence_ GUARDED_BY(state_mutex_);
  bool again_ GUARDED_BY(state_mutex_) = false;                // Poke was called
  std::unique_ptr<Watcher> watcher_ GUARDED_BY(state_mutex_);  // between Start and Stop

  std::atomic<bool> stopping_{false};
  std::optional<base::Chore> watching_over_;
};

}  // namespace berth::reload
