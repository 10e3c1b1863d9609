// The extenders service for tests: a rule of the test takes the place of all extenders together.
//   FakeExtenders extenders(plugin.host());  // before Start; must outlive the plugin
//   extenders.Rule([](const Pod&, FakeExtenders::Candidates& candidates) { candidates.resize(1); return ""; });
// Without a rule, no extender is interested. Thread: as the service.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "berth/extenders.h"
#include "berth/testing/fake_host.hpp"

namespace berth::sdk::testing {

class FakeExtenders {
 public:
  struct Candidate {
    uint32_t row;  // see FakeCluster::NameOf
    int64_t violations;
    std::vector<Pod> pods;
  };
  using Candidates = std::vector<Candidate>;
  // Changes the candidates. A result other than "" is the failure of an extender.
  using Judge = std::function<std::string(const Pod&, Candidates&)>;

  explicit FakeExtenders(FakeHost& host);
  FakeExtenders(const FakeExtenders&) = delete;
  ~FakeExtenders();

  FakeExtenders& Rule(Judge judge);
  const std::vector<Candidates>& asked() const { return asked_; }  // one entry per question

 private:
  static FakeExtenders& Of(const berth_host* host);
  static int32_t Preempts(const berth_host* host, const berth_pod*);
  static berth_status Preempt(const berth_host* host, const berth_pod* pod, berth_list candidates, berth_list* left,
                              berth_str* why);
  void Show();

  FakeHost& host_;
  Judge judge_;
  std::vector<Candidates> asked_;
  Candidates left_;
  std::string why_;
  Arena shown_;
  berth_list shown_left_{};
};

}  // namespace berth::sdk::testing
