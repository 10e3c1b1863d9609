// The trial service for tests: rows of the attempt's FakeCluster, and a rule of the test that judges them.
//   FakeTrials trials(plugin.host());      // before Start; must outlive the plugin
//   trials.Rule([](const FakeTrials::Row& row) -> FakeTrials::Answer { ... });
// Without a rule, a pod fits if its requests and the number of pods fit; reasons are those of NodeResourcesFit. The
// snapshot does not show the changes of a trial. Thread: as the service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "berth/testing/fake_nominations.hpp"
#include "berth/testing/outcome.hpp"
#include "berth/trial.h"

namespace berth::sdk::testing {

class FakeTrials {
 public:
  // The question to a rule: does the pod fit on a node with these pods?
  struct Row {
    Pod pod;
    NodeView node;
    std::vector<Pod> pods;
    std::vector<Row> others;  // the other rows of the trial; theirs are empty
  };
  struct Answer : Outcome {
    std::string plugin;  // the plugin that rejects; an ERROR is the failure of the trial itself
  };
  using Judge = std::function<Answer(const Row&)>;

  // With nominations, Filter first runs with the node's nominated pods of at least the pod's priority.
  explicit FakeTrials(FakeHost& host, FakeNominations* nominations = nullptr);
  FakeTrials(const FakeTrials&) = delete;
  ~FakeTrials();

  FakeTrials& Rule(Judge judge);
  // The calls remove and add fail with this text for this pod.
  FakeTrials& FailOn(std::string uid, std::string text);

  const Texts& opened() const { return opened_; }  // node names, in order
  size_t open() const;                             // trials that are not closed
  // "remove uid", "add uid", "filter", and "turn to node", over all trials, in order.
  const Texts& steps() const { return steps_; }

  // Compares requests and the number of pods with allocatable.
  static Answer ByRequests(const Row& row);

 private:
  struct OpenTrial {
    FakeTrials* owner;
    berth_cycle* cycle;
    uint32_t row;                    // the current row
    std::map<uint32_t, Row> states;  // all its rows
    std::string error;
    Arena shown;
  };

  static FakeTrials& Of(const berth_host* host);
  static OpenTrial& Of(const berth_cycle* trial);
  CallScope* Check(const char* function);

  static berth_cycle* Open(const berth_host* host, berth_cycle* cycle, uint32_t row);
  bool IsFree(const FakeCluster& cluster, uint32_t row) const;
  static Row RowAsItIs(const berth_cycle* cycle, uint32_t row);
  static berth_status Remove(berth_cycle* trial, const berth_pod* pod);
  static berth_status Add(berth_cycle* trial, const berth_pod* pod);
  berth_status Result(OpenTrial& one, const berth_pod* pod) const;
  static berth_status Filter(berth_cycle* trial, berth_verdict* out, berth_id* plugin);
  static berth_str Error(const berth_cycle* trial);
  static void Close(berth_cycle* trial);
  static berth_status TurnTo(berth_cycle* trial, uint32_t row);
  static Row Judged(const OpenTrial& one);

  FakeHost& host_;
  FakeNominations* nominations_;
  Judge judge_ = &ByRequests;
  std::vector<std::unique_ptr<OpenTrial>> open_;
  std::string failing_uid_, failure_;
  Texts opened_, steps_;
};

}  // namespace berth::sdk::testing
