// Random pods against upstream's formula, with sets: the sum of the calls that the others may make and a pod may not.
#include <algorithm>
#include <random>
#include <set>

#include "test_fixture.h"

namespace sy_sched_test {
namespace {

using CallSet = std::set<std::string>;

int64_t Missing(const CallSet& all, const CallSet& own) {
  return std::count_if(all.begin(), all.end(), [&](const std::string& call) { return !own.contains(call); });
}

int64_t ModelScore(const std::vector<CallSet>& pods, const CallSet& own) {
  CallSet all;
  for (const CallSet& pod : pods) all.insert(pod.begin(), pod.end());
  int64_t sum = Missing(all, own);
  all.insert(own.begin(), own.end());
  for (const CallSet& pod : pods) sum += Missing(all, pod);
  return sum;
}

TEST(SySchedModel, AgreesOnRandomPods) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    Scheduler scheduler;
    std::vector<CallSet> profiles(5);
    for (size_t i = 0; i < profiles.size(); ++i) {
      for (int j = 0; j < 40; ++j) profiles[i].insert("call-" + std::to_string(below(150)));
      scheduler.Put(kProfiles, ProfileOf("r" + std::to_string(i), Texts(profiles[i].begin(), profiles[i].end())));
    }
    std::vector<CallSet> there;
    for (int pod = below(8); pod > 0; --pod) {
      const auto which = static_cast<size_t>(below(5));
      scheduler.Run(Annotated("p" + std::to_string(pod), "r" + std::to_string(which)), "p" + std::to_string(pod));
      there.push_back(profiles[which]);
    }
    for (size_t i = 0; i < profiles.size(); ++i) {
      EXPECT_EQ(scheduler.ScoreWith("r" + std::to_string(i)), ModelScore(there, profiles[i]));
    }
  }
}

}  // namespace
}  // namespace sy_sched_test
