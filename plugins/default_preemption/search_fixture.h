// A plugin that searches with the test's rules, and short names for pods.
#pragma once

#include <berth/detail/library.hpp>
#include <berth/preemption.hpp>

#include <functional>
#include <string>

#include "test_fixture.h"

namespace default_preemption_test {

using namespace berth::sdk;  // NOLINT: as a plugin

// A plugin that searches with the test's rules and reports the result. It deletes no pods.
struct Rules : preemption::DefaultRules {
  std::function<bool(const Pod& victim, const Pod& preemptor)> may_leave;
  std::function<bool(const preemption::Victim&, const preemption::Victim&)> more_important;

  bool MayLeave(const Pod& victim, const Pod& preemptor) const { return !may_leave || may_leave(victim, preemptor); }
  bool MoreImportant(const preemption::Victim& a, const preemption::Victim& b) const {
    return more_important ? more_important(a, b) : DefaultRules::MoreImportant(a, b);
  }
};

struct Found {
  std::string node;  // of the best candidate; "": none
  Texts victims;
  int64_t violations = 0;
  std::string explanation, errors;
};

class Searcher {
 public:
  static constexpr Info kInfo{.name = "Searcher"};
  static constexpr std::string_view kNeeds[] = {BERTH_PREEMPTION_NEEDS};
  static constexpr std::string_view kUses[] = {BERTH_PREEMPTION_USES};
  static inline Rules rules;
  static inline Found found;

  explicit Searcher(Host& host) : search_(host) {}
  void Activate() { search_.Activate(); }
  Status PostFilter(Cycle& cycle, const Pod& pod, const Diagnosis& why, Nomination&) {
    search_.Run(cycle, pod, why, rules);
    found = {};
    const preemption::Candidates& candidates = search_.candidates();
    if (candidates.any()) {
      found.node = cycle.host().Text(cycle.snap().At(candidates.row()).name());
      found.violations = candidates.cost().violations;
      for (const auto& victim : candidates.victims()) found.victims.emplace_back(victim.pod.name());
    } else if (search_.errors().empty()) {
      found.explanation = search_.Explain(cycle, pod, rules);
    } else {
      found.errors = search_.errors().Text();
    }
    return Status::Unschedulable("searched");
  }

 private:
  preemption::Search search_;
};

struct SearchFixture : Fixture {
  SearchFixture() : Fixture(&berth::sdk::detail::Library<Searcher>::Entry, "Searcher") { Searcher::rules = {}; }
  Found Search(const FakePod& pod, const Texts& nodes) {
    Try(pod, nodes);
    return Searcher::found;
  }
};

inline FakePod Of(const std::string& name, int32_t priority, const Amounts& requests) {
  return FakePod(name).Uid(name).Priority(priority).Req(requests);
}
// The preemptor.
inline FakePod Big(const Amounts& requests = Large()) { return Of("p", kHigh, requests); }

}  // namespace default_preemption_test
