// A dry run and its results allocate nothing after the first one, because one pod can need thousands of dry runs.
#include <gtest/gtest.h>
#include <berth/preemption/candidate.hpp>
#include <berth/preemption/dry_run.hpp>
#include <berth/preemption/fit_error.hpp>
#include <berth/testing/fake_pod.hpp>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

namespace {
std::atomic<size_t> allocations = 0;
}  // namespace

// Not inlined, or the compiler sees memory of one function freed by another.
// NOLINTBEGIN(misc-new-delete-overloads)
[[gnu::noinline]] void* operator new(size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
// NOLINTEND(misc-new-delete-overloads)

namespace default_preemption_test {
namespace {

using namespace berth::sdk::preemption;  // NOLINT: the test uses the engine's names
using namespace berth::sdk::testing;     // NOLINT
using berth::sdk::Pod;
using berth::sdk::TrialVerdict;

// A node with capacity for three pods, one of which must leave for the preemptor.
struct PlainTrial {
  int pods;
  void Remove(const Pod&) { --pods; }
  void Add(const Pod&) { ++pods; }
  TrialVerdict Filter() const {
    TrialVerdict answer;
    if (pods > 2) answer.verdict = {BERTH_UNSCHEDULABLE, {}, 7};
    return answer;
  }
};
static_assert(IsTrial<PlainTrial>);

TEST(Allocations, NoneInSteadyState) {
  std::vector<std::shared_ptr<const PodObject>> pods;
  for (int i = 0; i < 8; ++i) {
    pods.push_back(FakePod("p" + std::to_string(i)).Label("app", i < 4 ? "a" : "b").Started(i + 1).Build());
  }
  Budgets budgets;
  budgets.Add({IdOf("default"), 1, {"gone"}});
  Candidates candidates;
  ReasonCounts rejected;
  DryRun dry_run;
  std::vector<berth::sdk::preemption::Victim> lower;
  const auto try_node = [&](uint32_t row) {
    lower.clear();
    for (const auto& pod : pods) lower.emplace_back(Pod(pod->raw()), static_cast<uint32_t>(lower.size()));
    PlainTrial trial{static_cast<int>(pods.size())};
    const auto matches = [](uint32_t, const Pod& pod) { return pod.labels().Get(IdOf("app")) == IdOf("a"); };
    ASSERT_EQ(dry_run.Try(trial, lower, budgets, &MoreImportant, matches), TryResult::kCandidate);
    ASSERT_EQ(dry_run.violations(), 1u);
    candidates.Add(row, dry_run.victims(), dry_run.violations());
    rejected.Add(row % 3);
  };
  candidates.Start(1000);
  for (uint32_t row = 0; row < 4; ++row) try_node(row);
  const size_t before = allocations;
  for (uint32_t search = 0; search < 10; ++search) {
    candidates.Start(1000);
    rejected.Clear();
    for (uint32_t row = 0; row < 100; ++row) try_node(row);
  }
  EXPECT_EQ(allocations - before, 0u);
  EXPECT_EQ(candidates.victims().size(), 6u);
}

}  // namespace
}  // namespace default_preemption_test
