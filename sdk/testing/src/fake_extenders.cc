#include "berth/testing/fake_extenders.hpp"

#include <utility>

namespace berth::sdk::testing {

FakeExtenders::FakeExtenders(FakeHost& host) : host_(host) {
  host.Extend(BERTH_SERVICE_EXTENDERS, berth_extenders{sizeof(berth_extenders), 0, &Preempts, &Preempt}, this);
}

FakeExtenders::~FakeExtenders() = default;

FakeExtenders& FakeExtenders::Rule(Judge judge) { return judge_ = std::move(judge), *this; }

FakeExtenders& FakeExtenders::Of(const berth_host* host) {
  return *static_cast<FakeExtenders*>(static_cast<FakeHost*>(host->impl)->StateOf(BERTH_SERVICE_EXTENDERS));
}

int32_t FakeExtenders::Preempts(const berth_host* host, const berth_pod*) {
  FakeExtenders& self = Of(host);
  self.host_.checker().MayCall("extenders preempts()", kSerial);
  return self.judge_ ? 1 : 0;
}

berth_status FakeExtenders::Preempt(const berth_host* host, const berth_pod* pod, berth_list candidates,
                                    berth_list* left, berth_str* why) {
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

void FakeExtenders::Show() {
  shown_.Clear();
  std::vector<berth_candidate> views;
  for (const auto& one : left_) {
    std::vector<const berth_pod*> pods;
    for (const Pod& pod : one.pods) pods.push_back(pod.raw());
    views.push_back({one.row, 0, one.violations, shown_.Exact(pods)});
  }
  shown_left_ = shown_.Exact(views);
}

}  // namespace berth::sdk::testing
