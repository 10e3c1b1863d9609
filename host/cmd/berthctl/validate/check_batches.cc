// Rules about Filter and Score as calls over rows: BP-111 to BP-114, and about their duration, BP-150.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <latch>
#include <string>
#include <thread>

#include "base/thread_annotations.h"
#include "cmd/berthctl/validate/batch.h"
#include "cmd/berthctl/validate/checks.h"
#include "cmd/berthctl/validate/samples.h"

namespace berth::validate {
namespace {

using sdk::testing::FakePod;
using Clock = std::chrono::steady_clock;

constexpr uint32_t kLarge = 5100, kMiddle = 600;
constexpr uint32_t kThreads = 8;
constexpr std::chrono::seconds kDeadline{1};  // BerthConfiguration faults.callDeadline, the default
constexpr int64_t kBudgetNsPerRow = 20'000;

// An instance with a cluster, and every sample pod that reaches Filter or Score.
template <class Fn>
void Ask(const Subject& subject, uint32_t nodes, Findings& findings, Fn&& fn) {
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(nodes));
  if (!rig.Started(findings)) return;
  const int asked = ForEachReady(rig, SamplePods(), [&](Batch batch, const FakePod& pod, Ready& ready) {
    const std::string call = std::string(NameOf(batch)) + " of pod \"" + pod.name() + "\"";
    findings.Step(call);
    fn(rig, ready, call);
  });
  if (asked == 0) findings.NotApplicable("no pod came to Filter or Score");
}

// n of all rows, with gaps if there are enough rows.
RowNumbers Pick(const RowNumbers& all, size_t n) {
  RowNumbers picked;
  for (size_t i = 0; i < n && i < all.size(); ++i) picked.push_back(all[i * all.size() / n]);
  return picked;
}

// The answers for all rows, called in parts of this size, the last part first.
Answer InParts(const Ready& ready, const RowNumbers& rows, size_t part) {
  Answer whole;
  whole.rows.resize(rows.size());
  const size_t parts = (rows.size() + part - 1) / part;
  for (size_t p = parts; p-- > 0;) {
    const size_t from = p * part, to = std::min(rows.size(), from + part);
    Answer answer =
        ready.Ask({rows.begin() + static_cast<std::ptrdiff_t>(from), rows.begin() + static_cast<std::ptrdiff_t>(to)});
    if (!answer.call.ok()) return answer;
    std::move(answer.rows.begin(), answer.rows.end(), whole.rows.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return whole;
}

std::string OnThreads(const Ready& ready, const RowNumbers& rows, const Answer& alone) {
  struct {
    base::Mutex mutex;
    std::string difference GUARDED_BY(mutex);
  } first;
  std::atomic<size_t> next{0};
  constexpr size_t kPart = 16;
  std::latch all_there{kThreads};  // otherwise the first thread may be done before the next one begins
  const auto work = [&] {
    all_there.arrive_and_wait();
    for (size_t from; (from = next.fetch_add(kPart)) < rows.size();) {
      const size_t to = std::min(rows.size(), from + kPart);
      const RowNumbers part(rows.begin() + static_cast<std::ptrdiff_t>(from),
                            rows.begin() + static_cast<std::ptrdiff_t>(to));
      const std::string wrong = Difference(ready, part, ready.Ask(part), rows, alone);
      const base::MutexLock lock(first.mutex);
      if (first.difference.empty()) first.difference = wrong;
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  const base::MutexLock lock(first.mutex);
  return first.difference;
}

}  // namespace

void CheckRows(const Subject& subject, Findings& findings) {
  Ask(subject, kLarge, findings, [&](TestHost&, const Ready& ready, const std::string& call) {
    const RowNumbers all = ready.LiveRows();
    const Answer whole = ready.Ask(all);
    for (const size_t n : {0, 1, 2, 63, 64, 65, 255, 256, 257, 5000}) {
      const RowNumbers rows = Pick(all, n);
      for (const auto side : {Guarded::Side::kEnd, Guarded::Side::kFront}) {
        findings.Step(call + ", " + std::to_string(n) + " rows" +
                      (side == Guarded::Side::kEnd ? "" : " (wall before)"));
        const std::string wrong = Difference(ready, rows, ready.Ask(rows, side), all, whole);
        if (!wrong.empty()) return findings.Fail(call + ", " + std::to_string(n) + " rows, and all of them: " + wrong);
      }
    }
  });
}

void CheckSameAgain(const Subject& subject, Findings& findings) {
  TestHost other(subject, Open(subject));
  other.Fill(SampleCluster(kMiddle));
  if (!other.Started(findings)) return;
  Ask(subject, kMiddle, findings, [&](TestHost&, const Ready& ready, const std::string& call) {
    const RowNumbers all = ready.LiveRows();
    const Answer first = ready.Ask(all);
    const std::string wrong = Difference(ready, all, ready.Ask(all), all, first);
    if (!wrong.empty()) findings.Fail(call + ", asked twice: " + wrong);
  });
  // Another instance, with other calls before, must give the same answers.
  TestHost rig(subject, Open(subject));
  rig.Fill(SampleCluster(kMiddle));
  if (!rig.Started(findings)) return;
  ForEachReady(rig, SamplePods(), [&](Batch batch, const FakePod& pod, Ready& ready) {
    const auto again = Ready::Come(other, batch, pod);
    const std::string call = std::string(NameOf(batch)) + " of pod \"" + pod.name() + "\"";
    if (!again) return findings.Fail(call + ": another instance does not come so far");
    const RowNumbers all = ready.LiveRows();
    const std::string wrong = Difference(ready, all, again->Ask(all), all, ready.Ask(all));
    if (!wrong.empty()) findings.Fail(call + ", by two instances: " + wrong);
  });
}

void CheckChunks(const Subject& subject, Findings& findings) {
  Ask(subject, kMiddle, findings, [&](TestHost&, const Ready& ready, const std::string& call) {
    const RowNumbers all = ready.LiveRows();
    const Answer whole = ready.Ask(all);
    for (const size_t part : {1, 64, 256}) {
      const std::string wrong = Difference(ready, all, InParts(ready, all, part), all, whole);
      if (!wrong.empty()) {
        return findings.Fail(call + ", in parts of " + std::to_string(part) + " rows and at once: " + wrong);
      }
    }
  });
}

void CheckThreads(const Subject& subject, Findings& findings) {
  if (IsSerialOnly(*Open(subject), subject.plugin)) {
    return findings.NotApplicable("the plugin asks to be called one at a time");
  }
  Ask(subject, kMiddle, findings, [&](TestHost&, const Ready& ready, const std::string& call) {
    const RowNumbers all = ready.LiveRows();
    const Answer alone = ready.Ask(all);
    for (int round = 0; round < 3; ++round) {
      const std::string wrong = OnThreads(ready, all, alone);
      if (!wrong.empty())
        return findings.Fail(call + ", on " + std::to_string(kThreads) + " threads and alone: " + wrong);
    }
  });
}

void CheckSpeed(const Subject& subject, Findings& findings) {
  constexpr int kTimes = 3;
  int64_t slowest = 0;
  std::string slowest_call;
  Ask(subject, 1000, findings, [&](TestHost&, const Ready& ready, const std::string& call) {
    const RowNumbers all = ready.LiveRows();
    auto best = Clock::duration::max();
    for (int i = 0; i < kTimes; ++i) {
      const auto begin = Clock::now();
      const Answer answer = ready.Ask(all);
      const auto took = Clock::now() - begin;
      if (took > kDeadline)
        return findings.Fail(call + " over 1000 rows takes longer than the deadline of a call, 1 s");
      best = std::min(best, took);
    }
    const int64_t per_row = std::chrono::nanoseconds(best).count() / static_cast<int64_t>(all.size());
    if (per_row > slowest) slowest = per_row, slowest_call = call;
  });
  if (slowest_call.empty()) return;
  const std::string text = std::to_string(slowest) + " ns per row in " + slowest_call + ", the slowest of the calls";
  if (slowest > kBudgetNsPerRow) {
    findings.Warn(text + "; the budget is " + std::to_string(kBudgetNsPerRow));
  } else {
    findings.Note(text);
  }
}

}  // namespace berth::validate
