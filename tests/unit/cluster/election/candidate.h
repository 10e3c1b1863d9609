// One candidate with its clock, fence, and a record of its callbacks. Thread: one.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cluster/election/election.h"
#include "lease_server.h"

namespace berth::election {

inline constexpr int64_t kStartWall = 1'767'225'600 * base::kSecond;  // 2026-01-01T00:00:00Z

class SettableClock final : public base::Clock {
 public:
  int64_t WallUnixNs() const override { return wall; }
  int64_t MonoNs() const override { return mono; }
  void Advance(int64_t ns) {
    wall += ns;
    mono += ns;
  }
  int64_t wall = kStartWall, mono = 1000 * base::kSecond;
};

class RecordingCallbacks final : public LeaderCallbacks {
 public:
  void OnStartedLeading() override { calls.push_back("started"); }
  void OnStoppedLeading(EndReason reason) override { calls.push_back(reason == EndReason::kLost ? "lost" : "stopped"); }
  bool AwaitAnswers() override { return quiet; }
  void OnNewLeader(const std::string& identity) override { calls.push_back("leader " + identity); }
  void OnEvent(LeaderEvent event) override {
    calls.push_back("event " + event.message);
    events.push_back(event);
  }
  std::vector<std::string> calls;
  std::vector<LeaderEvent> events;
  bool quiet = true;  // no request can still change an object
};

inline ElectionOptions OptionsOf(const std::string& identity) {
  ElectionOptions options;
  options.identity = identity;
  return options;
}

struct Candidate {
  explicit Candidate(const std::string& identity, uint64_t seed = 1) : Candidate(OptionsOf(identity), seed) {}
  explicit Candidate(const ElectionOptions& options, uint64_t seed = 1)
      : election(options, clock, fence, callbacks, {}, seed) {}

  bool Holds(int64_t margin = 0) const { return fence.Holds(clock.MonoNs(), margin); }

  // Carries out requests until the election waits or ends.
  Step& Settle(LeaseServer& server) {
    AwaitAnswers();
    while (step.kind == Step::Kind::kSend) {
      step = election.OnReply(server.Answer(step.request));
      AwaitAnswers();
    }
    return step;
  }
  void AwaitAnswers() {
    if (step.kind == Step::Kind::kAwaitAnswers) step = election.OnAnswers(callbacks.AwaitAnswers());
  }
  Step& Start(LeaseServer& server) {
    step = election.Start();
    return Settle(server);
  }
  // Advances to the end of the wait and makes the next try.
  Step& Next(LeaseServer& server) {
    clock.Advance(std::max<int64_t>(0, step.until_ns - clock.mono));
    step = election.OnTime();
    return Settle(server);
  }
  Step& Stop(LeaseServer& server) {
    step = election.OnStop();
    Settle(server);
    while (step.kind == Step::Kind::kWait) Next(server);
    return step;
  }

  SettableClock clock;
  FenceState fence;
  RecordingCallbacks callbacks;
  Election election;
  Step step;
};

}  // namespace berth::election
