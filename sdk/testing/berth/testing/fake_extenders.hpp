// The extenders service for tests: what all extenders together make of the candidates is a rule of the test.
//   FakeExtenders extenders(plugin.host());  // before Start; must outlive the plugin
//   extenders.Rule([](const Pod&, FakeExtenders::Candidates& candidates) { candidates.resize(1); return ""; });
// Without a rule nobody is interested. Thread: as the service.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "berth/draft/extenders.h"
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
  // Changes the candidates; another text than "" is the failure of an extender.
  using Judge = std::function<std::string(const Pod&, Candidates&)>;

  explicit FakeExtenders(FakeHost& host) : host_(host) {
    host.Extend(BERTH_SERVICE_EXTENDERS, berth_extenders{sizeof(berth_extenders), 0, &Preempts, &Preempt}, this);
  }
  FakeExtenders(const FakeExtenders&) = delete;

  FakeExtenders& Rule(Judge judge) { return judge_ = std::move(judge), *this; }
  const std::vector<Candidates>& asked() const { return asked_; }  // one entry per question

 private:
  static FakeExtenders& Of(const berth_host* host) {
    return *static_cast<FakeExtenders*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_EXTENDERS));
  }
  static int32_t Preempts(const berth_host* host, const berth_pod*) {
    FakeExtenders& self = Of(host);
    self.host_.checker().MayCall("extenders preempts()", kSerial);
    return self.judge_ ? 1 : 0;
  }
  static berth_status Preempt(const berth_host* host, const berth_pod* pod, berth_list candidates, berth_list* left,
                              berth_str* why) {
    FakeExtenders& self = Of(host);
    self.host_.checker().MayCall("extenders preempt()", kSerial);
    Candidates& all = self.asked_.emplace_back();
    for (const berth_candidate& one : List<berth_candidate>(candidates)) {
      const PodList pods(one.pods);
      all.push_back({one.row, one.violations, {pods.begin(), pods.end()}});
    }
    self.left_ = all;
    self.why_ = self.judge_ ? self.judge_(Pod(pod), self.left_) : "";
    self.Show();
    *left = self.shown_left_;
    *why = self.shown_.Text(self.why_);
    return self.why_.empty() ? BERTH_SUCCESS : BERTH_ERROR;
  }
  void Show() {
    shown_.Clear();
    std::vector<berth_candidate> views;
    for (const auto& one : left_) {
      std::vector<const berth_pod*> pods;
      for (const Pod& pod : one.pods) pods.push_back(pod.raw());
      views.push_back({one.row, 0, one.violations, shown_.Exact(pods)});
    }
    shown_left_ = shown_.Exact(views);
  }

  FakeHost& host_;
  Judge judge_;
  std::vector<Candidates> asked_;
  Candidates left_;
  std::string why_;
  Arena shown_;
  berth_list shown_left_{};
};

}  // namespace berth::sdk::testing
