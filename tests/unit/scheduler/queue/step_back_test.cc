// Profiles that step back, and for how long, on a simulated thread whose attempts take the time that the case gives.
#include "scheduler/queue/step_back.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "fixture.h"

namespace berth::queue {
namespace {

constexpr int64_t kMs = base::kMillisecond;

TEST(StepBack, EndsWhenItsTimeIsUp) {
  constexpr base::Id kOne = 7, kOther = 8;
  StepBack step_back;
  EXPECT_FALSE(step_back.any());
  EXPECT_FALSE(step_back.Note(kOne, StepBack::kSlow - 1, 0));  // not slow
  EXPECT_FALSE(step_back.any());
  EXPECT_TRUE(step_back.Note(kOne, 300 * kMs, 1000 * kMs));
  EXPECT_TRUE(step_back.Has(kOne));
  EXPECT_FALSE(step_back.Has(kOther));
  EXPECT_FALSE(step_back.Note(kOne, 200 * kMs, 1200 * kMs));   // until 1500 ms
  EXPECT_TRUE(step_back.Note(kOther, 100 * kMs, 1200 * kMs));  // until 1300 ms, and the first until 1600 ms
  EXPECT_FALSE(step_back.Expire(1299 * kMs));
  EXPECT_TRUE(step_back.Expire(1300 * kMs));
  EXPECT_FALSE(step_back.Has(kOther));
  EXPECT_FALSE(step_back.Expire(1599 * kMs));
  EXPECT_TRUE(step_back.Expire(1600 * kMs));
  EXPECT_FALSE(step_back.any());
}

struct Turn {
  std::string profile;
  int32_t priority = 0;
};

struct OrderCase {
  std::string name;
  std::vector<Turn> waiting;                // in order of arrival; their names are their indexes
  std::map<std::string, int64_t> costs_ms;  // of an attempt, by profile
  std::vector<int> order;                   // of attempts
};

class StepBackOrder : public QueueTest, public testing::WithParamInterface<OrderCase> {};

TEST_P(StepBackOrder, IsQueueSortExceptForSlowProfiles) {
  Make();
  const OrderCase& c = GetParam();
  for (size_t i = 0; i < c.waiting.size(); ++i) {
    queue_->Add(
        MakePod({.name = std::to_string(i), .priority = c.waiting[i].priority, .profile = c.waiting[i].profile}));
    clock.Advance(1);
  }
  std::vector<int> order;
  while (QueuedPodPtr pod = queue_->Pop()) {
    order.push_back(std::stoi(std::string(pod->pod->name())));
    const int64_t cost = c.costs_ms.at(std::string(Tables().ids.Text(pod->profile()))) * kMs;
    clock.Advance(cost);
    queue_->NoteHeld(pod->profile(), cost);
    ExpectSound();
    queue_->Done(pod->pod->uid());
  }
  EXPECT_EQ(order, c.order);
}

INSTANTIATE_TEST_SUITE_P(
    Of, StepBackOrder,
    testing::Values(OrderCase{.name = "NoneSlow",
                              .waiting = {{"a"}, {"b"}, {"a", 5}, {"b", 9}, {"a"}},
                              .costs_ms = {{"a", 99}, {"b", 1}},
                              .order = {3, 2, 0, 1, 4}},
                    OrderCase{.name = "OneSlow",
                              .waiting = {{"a"}, {"a"}, {"b"}, {"b"}},
                              .costs_ms = {{"a", 300}, {"b", 1}},
                              .order = {0, 2, 3, 1}},
                    OrderCase{.name = "OnlyOneSlow",
                              .waiting = {{"a"}, {"a", 1}, {"a"}},
                              .costs_ms = {{"a", 300}, {"b", 1}},
                              .order = {1, 0, 2}},
                    // 300 ms are paid by three attempts of 100 ms less one, which is not slow; then a is first again.
                    OrderCase{.name = "TheStepBackEnds",
                              .waiting = {{"a"}, {"a"}, {"b"}, {"b"}, {"b"}, {"b"}, {"b"}},
                              .costs_ms = {{"a", 240}, {"b", 80}},
                              .order = {0, 2, 3, 4, 1, 5, 6}},
                    OrderCase{.name = "HighPriorityStepsBackToo",
                              .waiting = {{"a", 9}, {"a", 9}, {"b"}},
                              .costs_ms = {{"a", 300}, {"b", 1}},
                              .order = {0, 2, 1}},
                    OrderCase{.name = "SlowProfilesKeepTheirOrder",
                              .waiting = {{"a"}, {"b"}, {"b", 3}, {"a", 1}, {"c"}},
                              .costs_ms = {{"a", 300}, {"b", 300}, {"c", 1}},
                              .order = {2, 3, 4, 0, 1}}),
    [](const auto& info) { return info.param.name; });

// Pods of "good" arrive every 20 ms and take 1 ms. Those of a bad profile arrive every 150 ms and take 300 ms, which is
// twice the available time.
class SlowProfileTest : public QueueTest {
 protected:
  // The longest time a good pod waited, in ms, and the bad profiles' share of the time.
  struct Seen {
    int64_t longest_ms = 0;
    double share = 0;
  };
  Seen Play(bool steps_back, int64_t good_every_ms, int n_bad = 1) {
    Make();
    Seen seen;
    const int64_t begin = clock.MonoNs(), end = begin + 20 * base::kSecond;
    int64_t next_good = begin, next_bad = begin, bad_took = 0;
    while (clock.MonoNs() < end) {
      for (; next_good <= clock.MonoNs(); next_good += good_every_ms * kMs) Arrive("good", next_good);
      for (; next_bad <= clock.MonoNs(); next_bad += 150 * kMs) {
        for (int i = 0; i < n_bad; ++i) Arrive("bad-" + std::to_string(i), next_bad);
      }
      QueuedPodPtr pod = queue_->Pop();
      if (!pod) {
        clock.AdvanceTo(std::min(next_good, next_bad));
        continue;
      }
      const bool bad = pod->profile() != Id("good");
      const int64_t cost = (bad ? 300 : 1) * kMs;
      if (!bad)
        seen.longest_ms = std::max(seen.longest_ms, (clock.MonoNs() - came_[std::string(pod->pod->name())]) / kMs);
      clock.Advance(cost);
      if (bad) bad_took += cost;
      if (steps_back) queue_->NoteHeld(pod->profile(), cost);
      queue_->Done(pod->pod->uid());
    }
    seen.share = static_cast<double>(bad_took) / static_cast<double>(clock.MonoNs() - begin);
    queue_.reset();
    return seen;
  }

 private:
  void Arrive(const std::string& profile, int64_t when) {
    const std::string name = profile + "-" + std::to_string(when);
    came_[name] = when;
    queue_->Add(MakePod({.name = name, .profile = profile}));
  }
  std::map<std::string, int64_t> came_;
};

TEST_F(SlowProfileTest, DelaysOthersByOneAttempt) {
  EXPECT_GT(Play(false, 20).longest_ms, 5000);
  EXPECT_LE(Play(true, 20).longest_ms, 320);
}

TEST_F(SlowProfileTest, GetsHalfOfTheTimeWhileOthersWait) {
  EXPECT_LT(Play(true, 1).share, 0.51);
  EXPECT_GT(Play(true, 1).share, 0.45);
  EXPECT_GT(Play(true, 20).share, 0.9);  // the other profiles leave more of the time
}

TEST_F(SlowProfileTest, DoesNotPayWithAnothersAttempts) {
  EXPECT_LE(Play(true, 20, 2).longest_ms, 640);
  EXPECT_LT(Play(true, 1, 2).share, 0.68);
}

}  // namespace
}  // namespace berth::queue
